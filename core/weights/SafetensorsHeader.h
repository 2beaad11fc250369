// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tensor {

/// The location of one tensor in a safetensors file.
struct SafetensorsEntry {
    std::string dtype; ///< "F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I64", "I32", "I16", "I8", "U8", "BOOL"
    std::vector<std::int64_t> shape;
    Bytes begin = 0; ///< from the end of the header
    Bytes end = 0; ///< one past its last byte

    bool operator==(const SafetensorsEntry&) const = default;
};

/// The header of a safetensors file: 8 bytes for the length, little endian, and that many bytes of JSON.
struct SafetensorsHeader {
    std::map<std::string, SafetensorsEntry> tensors;
    std::map<std::string, std::string> metadata; ///< free text, "__metadata__"

    bool operator==(const SafetensorsHeader&) const = default;
};

/// The longest header that is read, as in the reference implementation.
inline constexpr Bytes kMaxSafetensorsHeaderBytes = 100'000'000;

/// The most extents that a shape may have; PyTorch's limit too.
inline constexpr std::size_t kMaxSafetensorsExtents = 64;

/// Bytes of one element; 0 for an unknown dtype.
Bytes safetensorsElementBytes(const std::string& dtype);

/// Parses the JSON part as a stream: nesting deeper than a header's is refused where it begins, and memory is only
/// allocated for what a header contains. Everything is checked: duplicate keys, dtypes, shapes (including products that
/// overflow), and that the tensors cover each of the `dataBytes` after the header exactly once. Throws FileError, which
/// names the tensor.
SafetensorsHeader parseSafetensorsHeader(std::string_view json, Bytes dataBytes, const std::string& where);

/// The JSON part, padded with spaces to a multiple of 8 bytes, so that data stay aligned.
std::string toText(const SafetensorsHeader& header);

} // namespace headroom::tensor
