// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"
#include "profiling/trace/Bins.h"

#include <array>
#include <numeric>

namespace headroom::trace {

/// Bytes of each category, indexed by the category's number.
struct CategoryBytes {
    std::array<Bytes, config::kMemoryCategoryCount> bytes{};

    Bytes of(config::MemoryCategory category) const { return bytes[static_cast<std::size_t>(category)]; }
    Bytes& of(config::MemoryCategory category) { return bytes[static_cast<std::size_t>(category)]; }
    Bytes total() const { return std::accumulate(bytes.begin(), bytes.end(), Bytes{0}); }

    bool operator==(const CategoryBytes&) const = default;
};

/// An interval of time: the minimum, maximum and last value of allocated bytes, and their categories at the maximum.
/// The categories sum to `allocated.max`.
struct CategoryBucket {
    Bucket allocated;
    CategoryBytes atMax;

    bool operator==(const CategoryBucket&) const = default;
};

} // namespace headroom::trace
