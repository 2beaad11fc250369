// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"
#include "profiling/trace/Bins.h"

#include <array>
#include <numeric>

namespace headroom::trace {

/// Bytes of each category, by the category's number.
struct CategoryBytes {
    std::array<Bytes, config::kMemoryCategoryCount> bytes{};

    Bytes of(config::MemoryCategory category) const { return bytes[static_cast<std::size_t>(category)]; }
    Bytes& of(config::MemoryCategory category) { return bytes[static_cast<std::size_t>(category)]; }
    Bytes total() const { return std::accumulate(bytes.begin(), bytes.end(), Bytes{0}); }

    bool operator==(const CategoryBytes&) const = default;
};

/// A stretch of time: the least, most and last of allocated bytes, and what it consisted of when it was most. The
/// categories sum to `allocated.max`.
struct CategoryBucket {
    Bucket allocated;
    CategoryBytes atMax;

    bool operator==(const CategoryBucket&) const = default;
};

} // namespace headroom::trace
