// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Bins.h"

#include <algorithm>
#include <limits>

namespace headroom::trace {
namespace {

constexpr std::int64_t kLastNs = std::numeric_limits<std::int64_t>::max();

std::int64_t shiftedUp(std::int64_t bin, int shift)
{
    return bin > (kLastNs >> shift) ? kLastNs : static_cast<std::int64_t>(static_cast<std::uint64_t>(bin) << shift);
}

} // namespace

std::int64_t BinRange::beginNs() const
{
    return shiftedUp(first, shift);
}

std::int64_t BinRange::endNs() const
{
    return shiftedUp(first + static_cast<std::int64_t>(count), shift);
}

Bucket BinRange::bucket(std::size_t index) const
{
    const std::int64_t bin = first + static_cast<std::int64_t>(index);
    return {.beginNs = shiftedUp(bin, shift), .endNs = shiftedUp(bin + 1, shift)};
}

BinRange BinRange::ofShift(int shift, std::int64_t fromNs, std::int64_t toNs)
{
    const std::int64_t lastNs = std::max(fromNs, toNs - (toNs > fromNs ? 1 : 0));
    const std::int64_t first = fromNs >> shift;
    return {shift, first,
        static_cast<std::size_t>(static_cast<std::uint64_t>(lastNs >> shift) - static_cast<std::uint64_t>(first)) + 1};
}

BinRange BinRange::covering(std::int64_t fromNs, std::int64_t toNs, std::size_t width)
{
    width = std::max<std::size_t>(width, 1);
    int shift = 0;
    BinRange range = ofShift(shift, fromNs, toNs);
    // A count of 0 is the overflow of 2^64 bins of one nanosecond.
    while ((range.count > width || range.count == 0) && shift < kMaxBinShift)
        range = ofShift(++shift, fromNs, toNs);
    return range;
}

BucketFold::BucketFold(const BinRange& range, Bytes before)
    : m_range(range)
    , m_carry(before)
{
    m_buckets.reserve(range.count);
}

void BucketFold::add(std::int64_t bin, int shift, Bytes min, Bytes max, Bytes last)
{
    const std::int64_t target = bin >> (m_range.shift - shift);
    if (target < m_range.first && m_buckets.empty()) {
        m_carry = last;
        return;
    }
    const std::int64_t inside = std::max(target, m_range.first);
    const std::uint64_t index = static_cast<std::uint64_t>(inside) - static_cast<std::uint64_t>(m_range.first);
    if (index >= m_range.count)
        return;
    fillTo(index + 1);
    // The fold continues in the newest bucket, so a time that runs backwards is counted at the time before it.
    Bucket& bucket = m_buckets.back();
    bucket.min = std::min(bucket.min, min);
    bucket.max = std::max(bucket.max, max);
    bucket.last = last;
    m_carry = last;
}

std::vector<Bucket> BucketFold::take()
{
    fillTo(m_range.count);
    return std::move(m_buckets);
}

void BucketFold::fillTo(std::size_t size)
{
    while (m_buckets.size() < size) {
        Bucket bucket = m_range.bucket(m_buckets.size());
        bucket.min = bucket.max = bucket.last = m_carry;
        m_buckets.push_back(bucket);
    }
}

} // namespace headroom::trace
