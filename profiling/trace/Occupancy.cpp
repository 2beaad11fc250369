// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Occupancy.h"

#include "core/base/Crc32.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>
#include <utility>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kOccupancyMagic = 0x314F4548; // "HEO1"
constexpr std::size_t kOccupancyHeaderBytes = 20;
constexpr std::size_t kOccupancyChecksumBytes = 4;
constexpr int kMostShift = 62;

std::uint64_t lengthOf(int shift)
{
    return std::uint64_t{1} << static_cast<unsigned>(shift);
}

void verifyOccupancy(std::span<const std::byte> data)
{
    if (data.size() < kOccupancyHeaderBytes + kOccupancyChecksumBytes
        || getFixed<std::uint32_t>(data, 0) != kOccupancyMagic)
        throw MalformedBlock("not an occupancy");
    if (getFixed<std::uint32_t>(data, 4) > kMostShift || getFixed<std::uint32_t>(data, 8) > Occupancy::kMostStretches)
        throw MalformedBlock("the occupancy has an impossible header");
    const std::size_t covered = data.size() - kOccupancyChecksumBytes;
    if (crc32(data.first(covered)) != getFixed<std::uint32_t>(data, covered))
        throw MalformedBlock("the occupancy does not match its checksum");
}

} // namespace

void OccupancyBuilder::add(const Span& span)
{
    if (span.endNs <= span.beginNs)
        return;
    if (!m_hasBegun)
        m_occupancy.firstNs = span.beginNs;
    m_hasBegun = true;
    if (m_hasOpen && span.beginNs <= m_open.endNs) {
        m_open.endNs = std::max(m_open.endNs, span.endNs);
        return;
    }
    if (m_hasOpen)
        count(m_open);
    m_open = span;
    m_hasOpen = true;
}

Occupancy OccupancyBuilder::take()
{
    if (m_hasOpen)
        count(m_open);
    m_hasOpen = false;
    return std::move(m_occupancy);
}

std::uint64_t OccupancyBuilder::offsetOf(std::int64_t timeNs) const
{
    return static_cast<std::uint64_t>(timeNs) - static_cast<std::uint64_t>(m_occupancy.firstNs);
}

void OccupancyBuilder::count(const Span& span)
{
    const std::uint64_t end = offsetOf(span.endNs);
    while (((end - 1) >> static_cast<unsigned>(m_occupancy.shift)) >= Occupancy::kMostStretches)
        halve();
    const auto shift = static_cast<unsigned>(m_occupancy.shift);
    const std::size_t last = (end - 1) >> shift;
    if (last >= m_occupancy.busyNs.size())
        m_occupancy.busyNs.resize(last + 1);
    for (std::uint64_t at = offsetOf(span.beginNs); at < end;) {
        const std::uint64_t rest = lengthOf(m_occupancy.shift) - (at & (lengthOf(m_occupancy.shift) - 1));
        const std::uint64_t length = std::min(rest, end - at);
        m_occupancy.busyNs[at >> shift] += length;
        at += length;
    }
}

void OccupancyBuilder::halve()
{
    std::vector<std::uint64_t>& busy = m_occupancy.busyNs;
    for (std::size_t i = 0; i < busy.size(); ++i) {
        const std::uint64_t moved = std::exchange(busy[i], 0);
        busy[i / 2] += moved;
    }
    busy.resize((busy.size() + 1) / 2);
    ++m_occupancy.shift;
}

// Runs of stretches without work are a zero and how many more follow.
std::vector<std::byte> encodeOccupancy(const Occupancy& occupancy)
{
    ColumnWriter column(2 * ColumnWriter::kMaxVarintBytes * occupancy.busyNs.size());
    for (std::size_t i = 0; i < occupancy.busyNs.size(); ++i) {
        column.putVarint(occupancy.busyNs[i]);
        if (occupancy.busyNs[i] != 0)
            continue;
        const std::size_t first = i;
        while (i + 1 < occupancy.busyNs.size() && occupancy.busyNs[i + 1] == 0)
            ++i;
        column.putVarint(i - first);
    }
    std::vector<std::byte> data;
    putFixed(data, kOccupancyMagic);
    putFixed(data, static_cast<std::uint32_t>(occupancy.shift));
    putFixed(data, static_cast<std::uint32_t>(occupancy.busyNs.size()));
    putFixed(data, occupancy.firstNs);
    data.insert(data.end(), column.bytes().begin(), column.bytes().end());
    putFixed(data, crc32(data));
    return data;
}

Occupancy decodeOccupancy(std::span<const std::byte> data)
{
    verifyOccupancy(data);
    Occupancy occupancy;
    occupancy.shift = static_cast<int>(getFixed<std::uint32_t>(data, 4));
    occupancy.firstNs = getFixed<std::int64_t>(data, 12);
    const std::size_t count = getFixed<std::uint32_t>(data, 8);
    ColumnReader column(
        data.subspan(kOccupancyHeaderBytes, data.size() - kOccupancyHeaderBytes - kOccupancyChecksumBytes));
    occupancy.busyNs.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t busy = column.varint();
        const std::uint64_t more = busy == 0 ? column.varint() : 0;
        if (busy > lengthOf(occupancy.shift) || more >= count - i)
            throw MalformedBlock("a stretch of the occupancy is busier than it is long, or there are too many");
        occupancy.busyNs[i] = busy;
        i += more;
    }
    if (!column.atEnd())
        throw MalformedBlock("the occupancy has bytes left over");
    return occupancy;
}

} // namespace headroom::trace
