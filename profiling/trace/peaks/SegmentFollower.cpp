// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/SegmentFollower.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace headroom::trace {
namespace {

constexpr Bytes kGone = -1;

bool isGone(const HeldBlock& block)
{
    return block.bytes == kGone;
}

} // namespace

SegmentFollower::SegmentFollower(SegmentState from)
    : m_events(from.events)
    , m_timeNs(from.timeNs)
    , m_counters(from.counters)
    , m_before(std::move(from.blocks))
{
    for (const HeldSegment& segment : from.segments)
        m_segments.emplace_hint(m_segments.end(), segment.address, segment);
}

void SegmentFollower::apply(const AllocatorEvent& event)
{
    ++m_events;
    m_timeNs = event.timeNs;
    m_counters.apply(event);
    switch (event.action) {
    case Action::Alloc:
        hold(event);
        break;
    case Action::FreeRequested:
        if (HeldBlock* const block = find(event.address))
            block->isPending = true;
        break;
    case Action::FreeCompleted:
        drop(event.address);
        break;
    case Action::Relabelled:
        relabel(event);
        break;
    case Action::SegmentAlloc:
        m_segments[event.address] = {event.address, event.bytes, event.timeNs, event.stream, false};
        break;
    case Action::SegmentFree:
        m_segments.erase(event.address);
        break;
    case Action::SegmentMap:
        map(event);
        break;
    case Action::SegmentUnmap:
        unmap(event.address, event.bytes);
        break;
    case Action::OutOfMemory:
        break;
    }
}

void SegmentFollower::hold(const AllocatorEvent& event)
{
    if (HeldBlock* const earlier = findBefore(event.address)) // its release was lost
        earlier->bytes = kGone;
    m_blocks.insert_or_assign(event.address,
        HeldBlock{event.address, event.bytes, event.requestedBytes, event.timeNs, event.stream, event.owner});
}

// The first event of a block from before the trace makes it known.
void SegmentFollower::relabel(const AllocatorEvent& event)
{
    if (HeldBlock* const block = find(event.address))
        block->owner = event.owner;
    else
        hold(event);
}

void SegmentFollower::drop(std::uint64_t address)
{
    if (m_blocks.erase(address) > 0)
        return;
    if (HeldBlock* const block = findBefore(address))
        block->bytes = kGone;
}

HeldBlock* SegmentFollower::find(std::uint64_t address)
{
    if (const auto found = m_blocks.find(address); found != m_blocks.end())
        return &found->second;
    return findBefore(address);
}

HeldBlock* SegmentFollower::findBefore(std::uint64_t address)
{
    const auto found = std::ranges::lower_bound(m_before, address, {}, &HeldBlock::address);
    return found != m_before.end() && found->address == address && !isGone(*found) ? &*found : nullptr;
}

// Extends the mapped range before it, and merges the one after it; the older of them tells since when.
void SegmentFollower::map(const AllocatorEvent& event)
{
    HeldSegment segment{event.address, event.bytes, event.timeNs, event.stream, true};
    auto after = m_segments.upper_bound(segment.address);
    if (after != m_segments.begin())
        if (const auto before = std::prev(after);
            before->second.isExpandable && before->second.end() == segment.address) {
            segment.address = before->first;
            segment.bytes += before->second.bytes;
            segment.sinceNs = std::min(segment.sinceNs, before->second.sinceNs);
            m_segments.erase(before);
        }
    if (after != m_segments.end() && after->second.isExpandable && after->first == segment.end()) {
        segment.bytes += after->second.bytes;
        segment.sinceNs = std::min(segment.sinceNs, after->second.sinceNs);
        m_segments.erase(after);
    }
    m_segments[segment.address] = segment;
}

// The rest of the mapped range on either side stays mapped.
void SegmentFollower::unmap(std::uint64_t address, Bytes bytes)
{
    auto found = m_segments.upper_bound(address);
    if (found == m_segments.begin())
        return;
    --found;
    const HeldSegment whole = found->second;
    const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
    if (!whole.isExpandable || end > whole.end())
        return;
    m_segments.erase(found);
    if (whole.address < address) {
        HeldSegment left = whole;
        left.bytes = static_cast<Bytes>(address - whole.address);
        m_segments[left.address] = left;
    }
    if (end < whole.end()) {
        HeldSegment right = whole;
        right.address = end;
        right.bytes = static_cast<Bytes>(whole.end() - end);
        m_segments[right.address] = right;
    }
}

SegmentState SegmentFollower::state() const
{
    SegmentState state{m_events, m_timeNs, m_counters, {}, {}};
    state.segments.reserve(m_segments.size());
    for (const auto& [address, segment] : m_segments)
        state.segments.push_back(segment);
    std::vector<HeldBlock> added;
    added.reserve(m_blocks.size());
    for (const auto& [address, block] : m_blocks)
        added.push_back(block);
    std::ranges::sort(added, {}, &HeldBlock::address);
    std::vector<HeldBlock> before;
    std::ranges::copy_if(m_before, std::back_inserter(before), std::not_fn(isGone));
    state.blocks.reserve(before.size() + added.size());
    std::ranges::merge(before, added, std::back_inserter(state.blocks), {}, &HeldBlock::address, &HeldBlock::address);
    return state;
}

void SegmentFollower::rebase()
{
    m_before = state().blocks;
    m_blocks.clear();
}

} // namespace headroom::trace
