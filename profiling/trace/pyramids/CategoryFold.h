// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/pyramids/CategoryChunk.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// Folds changes of allocated memory, fed in order of time, into one bucket per bin of a range; as BucketFold, with the
/// categories at the first moment of each bucket's largest value.
class CategoryFold {
public:
    /// `before`: what is held before the first change that will be fed.
    CategoryFold(const BinRange& range, const CategoryCounters& before);

    /// A summary of changes inside one bin of `shift` (not above the range's). What lies before the range only sets
    /// what is carried in; what lies behind it is ignored.
    void add(const CategoryNode& node, int shift);
    void addPoint(std::int64_t timeNs, const CategoryCounters& counters);
    /// What is held, known without a change: after a gap in the data.
    void carry(const CategoryCounters& counters) { m_carry = counters; }

    /// One bucket per bin, those without a change included.
    std::vector<CategoryBucket> take();

private:
    /// The bucket that a change belongs to; null where it only counts as carried in or not at all.
    CategoryBucket* bucketAt(std::int64_t bin, const CategoryCounters& last);
    void fillTo(std::size_t size);

    BinRange m_range;
    CategoryCounters m_carry;
    std::vector<CategoryBucket> m_buckets;
};

/// Feeds the nodes of a level to a fold: those of the range and the one before it, whose end is carried in.
void foldCategoryNodes(CategoryFold& fold, int shift, std::span<const CategoryNode> nodes, const BinRange& range);

} // namespace headroom::trace
