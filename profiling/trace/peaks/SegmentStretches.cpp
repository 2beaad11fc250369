// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/SegmentStretches.h"

#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStateData.h"

#include <utility>

namespace headroom::trace {
namespace {

// A block of a state takes some ten bytes, as an event does.
constexpr std::size_t kEventsPerHeldBlock = 8;

} // namespace

void ReservedPeak::raise(const ReservedPeak& later)
{
    if (later.bytes > bytes || (later.bytes == bytes && later.allocatedBytes > allocatedBytes))
        *this = later;
}

void SegmentStretch::join(const SegmentStretch& next)
{
    events += next.events;
    peak.raise(next.peak);
    failures.insert(failures.end(), next.failures.begin(), next.failures.end());
}

SegmentStretches::SegmentStretches(const MemoryCounters& before, std::size_t fewestEvents)
    : m_fewestEvents(fewestEvents)
    , m_follower(before)
{
}

void SegmentStretches::beginBlock(std::int64_t ordinal, const MemoryCounters& before)
{
    m_follower.settle(before);
    if (!m_current)
        begin(ordinal);
}

void SegmentStretches::begin(std::int64_t ordinal)
{
    m_follower.rebase();
    const SegmentState state = m_follower.state();
    m_heldBlocks = state.blocks.size();
    m_current = SegmentStretch{.ordinal = ordinal, .firstEvent = state.events, .state = encodeSegmentState(state)};
}

void SegmentStretches::append(const AllocatorEvent& event)
{
    m_follower.apply(event);
    const MemoryCounters& now = m_follower.counters();
    m_current->peak.raise({now.reserved, now.allocated, m_follower.events()});
    if (event.action == Action::OutOfMemory)
        m_current->failures.push_back(m_follower.events());
}

std::optional<SegmentStretch> SegmentStretches::endBlock()
{
    const std::uint64_t events = m_follower.events() - m_current->firstEvent;
    if (events <= m_fewestEvents || events < kEventsPerHeldBlock * m_heldBlocks)
        return std::nullopt;
    return take();
}

std::optional<SegmentStretch> SegmentStretches::finish()
{
    return m_current ? std::optional(take()) : std::nullopt;
}

SegmentStretch SegmentStretches::take()
{
    SegmentStretch stretch = std::exchange(m_current, std::nullopt).value();
    stretch.events = m_follower.events() - stretch.firstEvent;
    return stretch;
}

std::vector<std::byte> encodeFailures(const SegmentStretch& stretch)
{
    ColumnWriter column(stretch.failures.size() * ColumnWriter::kMaxVarintBytes);
    std::uint64_t before = stretch.firstEvent;
    for (const std::uint64_t failure : stretch.failures)
        column.putVarint(failure - std::exchange(before, failure));
    const auto bytes = column.bytes();
    return {bytes.begin(), bytes.end()};
}

void decodeFailures(std::span<const std::byte> data, SegmentStretch& stretch)
{
    ColumnReader column(data);
    std::uint64_t failure = stretch.firstEvent;
    while (!column.atEnd()) {
        const std::uint64_t further = column.varint();
        if (further == 0 || further > stretch.firstEvent + stretch.events - failure)
            throw MalformedBlock("a failed request lies outside of its stretch of the trace");
        failure += further;
        stretch.failures.push_back(failure);
    }
}

} // namespace headroom::trace
