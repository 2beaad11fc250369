// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/pyramids/CategoryChunk.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// Folds changes of allocated memory, added in order of time, into one bucket per bin of a range; like BucketFold, with
/// the categories at the first moment of each bucket's maximum.
class CategoryFold {
public:
    /// `before`: the memory held before the first added change.
    CategoryFold(const BinRange& range, const CategoryCounters& before);

    /// Adds a summary of changes inside one bin of `shift` (not above the range's). Changes before the range only set
    /// what is carried in; changes after it are ignored.
    void add(const CategoryNode& node, int shift);
    void addPoint(std::int64_t timeNs, const CategoryCounters& counters);
    /// Sets the memory held to known values without a change, after a gap in the data.
    void carry(const CategoryCounters& counters) { m_carry = counters; }

    /// One bucket per bin, including bins without a change.
    std::vector<CategoryBucket> take();

private:
    /// The bucket that a change belongs to; null if it is only carried in or ignored.
    CategoryBucket* bucketAt(std::int64_t bin, const CategoryCounters& last);
    void fillTo(std::size_t size);

    BinRange m_range;
    CategoryCounters m_carry;
    std::vector<CategoryBucket> m_buckets;
};

/// Adds the nodes of a level to a fold: those of the range and the one before it, whose end is carried in.
void foldCategoryNodes(CategoryFold& fold, int shift, std::span<const CategoryNode> nodes, const BinRange& range);

} // namespace headroom::trace
