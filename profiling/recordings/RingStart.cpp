// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/RingStart.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace headroom::recordings {
namespace {

Address endOf(Address address, Bytes bytes)
{
    return address + static_cast<Address>(bytes);
}

struct LiveBlock {
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    bool isExact = false; ///< slack included
    bool isPending = false;
    trace::OwnerId owner = trace::kUnknownOwner;
};

struct HeldSegment {
    Bytes bytes = 0;
    Stream stream = simulator::kDefaultStream;
    PoolKind pool = PoolKind::Large;
    bool isExpandable = false;
    std::uint16_t privatePool = 0;
};

class BackwardRun {
public:
    BackwardRun(const std::vector<RecordedSegment>& final, const simulator::AllocatorSettings& settings)
        : m_settings(settings)
    {
        for (const RecordedSegment& segment : final)
            add(segment);
    }

    void undo(const RecordedEvent& event)
    {
        switch (event.kind) {
        case EventKind::Alloc:
            m_live.erase(event.address);
            break;
        case EventKind::FreeCompleted:
            m_live[event.address] = blockOf(event, true);
            break;
        case EventKind::FreeRequested:
            undoRequest(event);
            break;
        case EventKind::SegmentAlloc:
            m_segments.erase(event.address);
            break;
        case EventKind::SegmentFree:
            m_segments[event.address] = {event.bytes, event.stream,
                event.bytes == simulator::kSmallSegmentBytes ? PoolKind::Small : PoolKind::Large, false};
            break;
        case EventKind::SegmentMap:
            undoMap(event);
            break;
        case EventKind::SegmentUnmap:
            undoUnmap(event);
            break;
        case EventKind::Relabelled:
            if (const auto found = m_live.find(event.address); found != m_live.end())
                found->second.owner = event.previousOwner;
            break;
        case EventKind::OutOfMemory:
            break;
        }
    }

    std::vector<RecordedSegment> segments()
    {
        m_ordered = {m_live.begin(), m_live.end()};
        std::vector<RecordedSegment> segments;
        for (const auto& [address, held] : m_segments)
            segments.push_back(tiled(address, held));
        return segments;
    }

private:
    void add(const RecordedSegment& segment)
    {
        m_segments[segment.address] = {
            segment.bytes, segment.stream, segment.pool, segment.isExpandable, segment.privatePool};
        for (const RecordedBlock& block : segment.blocks)
            if (block.isLive)
                m_live[block.address] = {block.bytes, block.requestedBytes, true, block.isPending, block.owner};
    }

    LiveBlock blockOf(const RecordedEvent& event, bool isPending) const
    {
        const Bytes bytes = event.blockBytes > 0 ? event.blockBytes : m_settings.roundedBytes(event.bytes);
        return {bytes, event.bytes, event.blockBytes > 0, isPending, event.owner};
    }

    void undoRequest(const RecordedEvent& event)
    {
        if (const auto found = m_live.find(event.address); found != m_live.end())
            found->second.isPending = false;
        else // the ring's end cut its completion
            m_live[event.address] = blockOf(event, false);
    }

    // Cuts the pages out of the run that holds them.
    void undoMap(const RecordedEvent& event)
    {
        auto found = m_segments.upper_bound(event.address);
        if (found == m_segments.begin())
            return;
        --found;
        const Address begin = found->first;
        const HeldSegment held = found->second;
        const Address end = endOf(begin, held.bytes);
        const Address pagesEnd = endOf(event.address, event.bytes);
        if (event.address >= end)
            return;
        m_segments.erase(found);
        if (event.address > begin)
            m_segments[begin] = {static_cast<Bytes>(event.address - begin), held.stream, held.pool, true};
        if (pagesEnd < end)
            m_segments[pagesEnd] = {static_cast<Bytes>(end - pagesEnd), held.stream, held.pool, true};
    }

    // Joins the pages with the runs that they touch.
    void undoUnmap(const RecordedEvent& event)
    {
        Address begin = event.address;
        Address end = endOf(event.address, event.bytes);
        PoolKind pool = event.bytes % m_settings.largeSegmentBytes == 0 ? PoolKind::Large : PoolKind::Small;
        if (const auto after = m_segments.find(end); after != m_segments.end() && joins(after->second, event)) {
            pool = after->second.pool;
            end = endOf(end, after->second.bytes);
            m_segments.erase(after);
        }
        if (auto before = m_segments.lower_bound(begin); before != m_segments.begin()) {
            --before;
            if (endOf(before->first, before->second.bytes) == begin && joins(before->second, event)) {
                pool = before->second.pool;
                begin = before->first;
                m_segments.erase(before);
            }
        }
        m_segments[begin] = {static_cast<Bytes>(end - begin), event.stream, pool, true};
    }

    static bool joins(const HeldSegment& held, const RecordedEvent& event)
    {
        return held.isExpandable && held.stream == event.stream;
    }

    RecordedSegment tiled(Address address, const HeldSegment& held) const
    {
        RecordedSegment segment{address, held.bytes, held.stream, held.pool, held.isExpandable, {}, held.privatePool};
        const Address end = endOf(address, held.bytes);
        Address at = address;
        const auto addFree = [&](Address until) {
            if (until > at)
                segment.blocks.push_back({at, static_cast<Bytes>(until - at)});
        };
        for (auto live = m_ordered.lower_bound(address); live != m_ordered.end() && live->first < end; ++live) {
            if (live->first < at)
                continue; // overlaps the block before it: the recording contradicts itself
            addFree(live->first);
            const auto next = std::next(live);
            const Address room = next == m_ordered.end() ? end : std::min(end, next->first);
            const LiveBlock& block = live->second;
            const Bytes bytes = std::min(
                withSlack(block, static_cast<Bytes>(room - live->first), held), static_cast<Bytes>(end - live->first));
            segment.blocks.push_back(
                {live->first, bytes, std::min(block.requestedBytes, bytes), true, block.isPending, block.owner});
            at = endOf(live->first, bytes);
        }
        addFree(end);
        return segment;
    }

    static Bytes withSlack(const LiveBlock& block, Bytes room, const HeldSegment& held)
    {
        const bool mayHaveSlack = !block.isExact && held.pool == PoolKind::Large && !held.isExpandable;
        return mayHaveSlack && room - block.bytes <= simulator::kSmallBytes ? room : std::min(block.bytes, room);
    }

    simulator::AllocatorSettings m_settings;
    std::map<Address, HeldSegment> m_segments;
    std::unordered_map<Address, LiveBlock> m_live;
    std::map<Address, LiveBlock> m_ordered; ///< the same, once all events are undone
};

} // namespace

std::vector<RecordedSegment> segmentsBefore(
    std::vector<RecordedSegment> final, const DeviceRecording& recording, const simulator::AllocatorSettings& settings)
{
    BackwardRun run(final, settings);
    for (auto event = recording.events.rbegin(); event != recording.events.rend(); ++event)
        run.undo(*event);
    return run.segments();
}

} // namespace headroom::recordings
