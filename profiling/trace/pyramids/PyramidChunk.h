// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/pyramids/Pyramid.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::trace {

/// Consecutive nodes of one level of a pyramid, the unit in which a pyramid is stored.
struct PyramidChunk {
    PyramidLevel level;
    Bytes before = 0; ///< the counter's value before the first node

    std::int64_t firstNs() const; ///< begin of the first node's bin
    std::int64_t lastNs() const; ///< end of the last node's bin, inclusive
};

inline constexpr std::size_t kMaxChunkNodes = 4'096;

/// Byte layout: docs/database.md. Throws UsageError for other than 1 to kMaxChunkNodes nodes.
std::vector<std::byte> encodePyramidChunk(int shift, Bytes before, std::span<const PyramidNode> nodes);

/// Bounds-checked; throws MalformedBlock for anything out of form.
PyramidChunk decodePyramidChunk(std::span<const std::byte> data);

} // namespace headroom::trace
