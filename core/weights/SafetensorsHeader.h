// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tensor {

/// Where one tensor of a safetensors file lies.
struct SafetensorsEntry {
    std::string dtype; ///< "F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I64", "I32", "I16", "I8", "U8", "BOOL"
    std::vector<std::int64_t> shape;
    Bytes begin = 0; ///< from the end of the header
    Bytes end = 0; ///< one past its last byte

    bool operator==(const SafetensorsEntry&) const = default;
};

/// What stands before the data of a safetensors file: 8 bytes length, little endian, and as many bytes of JSON.
struct SafetensorsHeader {
    std::map<std::string, SafetensorsEntry> tensors;
    std::map<std::string, std::string> metadata; ///< free texts, "__metadata__"

    bool operator==(const SafetensorsHeader&) const = default;
};

/// Longest header that is read, as of the reference implementation.
inline constexpr Bytes kMaxSafetensorsHeaderBytes = 100'000'000;

/// Most extents of a shape; PyTorch has no more either.
inline constexpr std::size_t kMaxSafetensorsExtents = 64;

/// Bytes of one element; 0 for a word that is no dtype.
Bytes safetensorsElementBytes(const std::string& dtype);

/// Reads the JSON part, as it comes: what is nested deeper than a header can be is refused where it begins, and memory
/// is taken for what a header has and for nothing else. Everything is checked: keys that stand twice, dtypes, shapes
/// (products that overflow too), and that the tensors cover the `dataBytes` behind the header, each byte once. Throws
/// FileError, which names the tensor.
SafetensorsHeader parseSafetensorsHeader(std::string_view json, Bytes dataBytes, const std::string& where);

/// The JSON part, filled up with blanks to a multiple of 8 bytes, so that data stay aligned.
std::string toText(const SafetensorsHeader& header);

} // namespace headroom::tensor
