// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/Replay.h"

#include <algorithm>

namespace headroom::recordings {
namespace {

simulator::DeviceCapacity roomOn(config::SegmentAddresses order)
{
    simulator::DeviceCapacity capacity;
    capacity.segmentAddresses = order;
    return capacity;
}

// Most that a block of the pool can be asked for.
Bytes largestPiece(PoolKind pool)
{
    return pool == PoolKind::Small ? simulator::kSmallBytes : simulator::kUnlimitedBytes;
}

} // namespace

Replay::Replay(const Recording& recording, std::optional<config::SegmentAddresses> order)
    : m_recording(recording)
    , m_isDictated(!order)
    , m_allocator(roomOn(order.value_or(config::SegmentAddresses::Ascending)))
{
    restore();
    m_allocator.setObserver([this](const trace::AllocatorEvent& event) {
        if (event.action == trace::Action::SegmentFree)
            m_freedSegments.insert(event.bytes);
    });
}

// All segments are taken first, so that laying one out finds its memory and no other; free parts are given back last.
void Replay::restore()
{
    std::vector<std::vector<Address>> held;
    for (const RecordedSegment& segment : m_recording.before)
        held.push_back(hold(segment));
    for (std::size_t i = 0; i < held.size(); ++i) {
        for (const Address address : held[i])
            m_allocator.free(address);
        layOut(m_recording.before[i]);
    }
    for (const Address gap : m_gaps)
        m_allocator.free(gap);
}

std::vector<Address> Replay::hold(const RecordedSegment& segment)
{
    m_allocator.dictateSegment(segment.address);
    std::vector<Address> pieces;
    for (Bytes left = segment.bytes; left > 0;) {
        const Bytes bytes = std::min(left, largestPiece(segment.pool));
        pieces.push_back(m_allocator.allocate(bytes, segment.stream));
        left -= bytes;
    }
    return pieces;
}

void Replay::layOut(const RecordedSegment& segment)
{
    for (const RecordedBlock& block : segment.blocks)
        for (Bytes left = block.bytes; left > 0;) {
            const Bytes bytes = std::min(left, largestPiece(segment.pool));
            const Address address = m_allocator.allocate(bytes, segment.stream);
            left -= bytes;
            if (block.isLive)
                m_simulated.emplace(block.address, address);
            else
                m_gaps.push_back(address);
        }
}

ReplayOutcome Replay::run()
{
    std::multiset<Bytes> freed;
    for (const RecordedEvent& event : m_recording.events) {
        if (event.kind == EventKind::SegmentFree) {
            freed.insert(event.bytes);
            continue;
        }
        if (!freed.empty())
            flush(std::exchange(freed, {}));
        if (event.kind == EventKind::SegmentAlloc && m_isDictated)
            m_allocator.dictateSegment(event.address);
        if (event.kind == EventKind::Alloc)
            allocate(event);
        if (event.kind == EventKind::Free)
            if (const auto node = m_simulated.extract(event.address))
                m_allocator.free(node.mapped());
    }
    if (!freed.empty())
        flush(freed);
    m_outcome.peakReservedBytes = m_allocator.stats().reservedBytes.aggregate.peak;
    return m_outcome;
}

void Replay::allocate(const RecordedEvent& event)
{
    const Address address = m_allocator.allocate(event.bytes, event.stream);
    ++m_outcome.allocations;
    m_outcome.atRecordedAddress += address == event.address ? 1 : 0;
    m_simulated.emplace(event.address, address);
}

void Replay::flush(const std::multiset<Bytes>& recorded)
{
    m_freedSegments.clear();
    m_allocator.emptyCache();
    ++m_outcome.flushes;
    m_outcome.flushesOfTheRecordedSet += m_freedSegments == recorded ? 1 : 0;
}

} // namespace headroom::recordings
