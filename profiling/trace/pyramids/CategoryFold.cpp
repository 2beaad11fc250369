// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/CategoryFold.h"

#include <algorithm>

namespace headroom::trace {

CategoryFold::CategoryFold(const BinRange& range, const CategoryCounters& before)
    : m_range(range)
    , m_carry(before)
{
    m_buckets.reserve(range.count);
}

void CategoryFold::add(const CategoryNode& node, int shift)
{
    CategoryBucket* bucket = bucketAt(node.bin >> (m_range.shift - shift), {node.last, node.atLast});
    if (bucket == nullptr)
        return;
    bucket->allocated.min = std::min(bucket->allocated.min, node.min);
    bucket->allocated.last = node.last;
    if (node.max > bucket->allocated.max) {
        bucket->allocated.max = node.max;
        bucket->atMax = node.atMax;
    }
}

void CategoryFold::addPoint(std::int64_t timeNs, const CategoryCounters& counters)
{
    CategoryBucket* bucket = bucketAt(timeNs >> m_range.shift, counters);
    if (bucket == nullptr)
        return;
    bucket->allocated.min = std::min(bucket->allocated.min, counters.allocated);
    bucket->allocated.last = counters.allocated;
    if (counters.allocated > bucket->allocated.max) {
        bucket->allocated.max = counters.allocated;
        bucket->atMax = counters.categories;
    }
}

CategoryBucket* CategoryFold::bucketAt(std::int64_t bin, const CategoryCounters& last)
{
    if (bin < m_range.first && m_buckets.empty()) {
        m_carry = last;
        return nullptr;
    }
    const std::int64_t inside = std::max(bin, m_range.first);
    const std::uint64_t index = static_cast<std::uint64_t>(inside) - static_cast<std::uint64_t>(m_range.first);
    if (index >= m_range.count)
        return nullptr;
    fillTo(index + 1);
    m_carry = last;
    // A time that runs backwards is counted at the time before it.
    return &m_buckets.back();
}

std::vector<CategoryBucket> CategoryFold::take()
{
    fillTo(m_range.count);
    return std::move(m_buckets);
}

void CategoryFold::fillTo(std::size_t size)
{
    while (m_buckets.size() < size) {
        CategoryBucket bucket{m_range.bucket(m_buckets.size()), m_carry.categories};
        bucket.allocated.min = bucket.allocated.max = bucket.allocated.last = m_carry.allocated;
        m_buckets.push_back(bucket);
    }
}

void foldCategoryNodes(CategoryFold& fold, int shift, std::span<const CategoryNode> nodes, const BinRange& range)
{
    const int up = range.shift - shift;
    const std::int64_t end = range.first + static_cast<std::int64_t>(range.count);
    auto node = std::ranges::lower_bound(
        nodes, range.first, {}, [up](const CategoryNode& candidate) { return candidate.bin >> up; });
    if (node != nodes.begin())
        --node;
    for (; node != nodes.end() && (node->bin >> up) < end; ++node)
        fold.add(*node, shift);
}

} // namespace headroom::trace
