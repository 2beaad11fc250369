// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/Replay.h"

#include "core/base/Error.h"
#include "profiling/recordings/FrameCategories.h"
#include "profiling/recordings/PrivatePools.h"
#include "profiling/recordings/StartState.h"

#include <algorithm>
#include <numeric>

namespace headroom::recordings {
namespace {

using simulator::OutOfMemory;

/// Above all streams that a recording can have.
constexpr Stream kFirstPendingStream = 1 << 24;

simulator::DeviceCapacity capacityFor(const ReplayTerms& terms, config::SegmentAddresses platform)
{
    simulator::DeviceCapacity capacity;
    if (terms.capacityBytes)
        capacity.limitBytes = capacity.totalBytes = *terms.capacityBytes;
    capacity.segmentAddresses = platform;
    return capacity;
}

bool givesBack(EventKind kind)
{
    return kind == EventKind::SegmentFree || kind == EventKind::SegmentUnmap;
}

bool isOfSameCall(const RecordedEvent& flush, const RecordedEvent& next)
{
    return flush.owner != trace::kUnknownOwner && flush.owner == next.owner;
}

// What only follows a flush that an allocation made.
bool asksTheDevice(EventKind kind)
{
    return kind == EventKind::SegmentAlloc || kind == EventKind::SegmentMap || kind == EventKind::OutOfMemory;
}

} // namespace

Bytes Replay::Memory::total() const
{
    return std::accumulate(parts.begin(), parts.end(), Bytes{0});
}

Replay::Replay(const DeviceRecording& recording, const trace::OwnerTable& owners, ReplayTerms terms)
    : m_recording(recording)
    , m_owners(owners)
    , m_terms(std::move(terms))
    , m_allocator(capacityFor(m_terms, m_terms.platform.value_or(platformOf(recording))), m_terms.settings)
    , m_nextPending(kFirstPendingStream)
    , m_recordedPeak(recording.peakReservedBytes())
    , m_recordedReserved(recording.reservedBefore())
{
}

// On a card that is too small for it, the cache that was there before would have been flushed.
std::vector<RecordedSegment> Replay::startThatFits()
{
    std::vector<RecordedSegment> start = m_recording.before;
    if (!m_terms.capacityBytes || m_recordedReserved <= *m_terms.capacityBytes)
        return start;
    const auto isLive = [](const RecordedBlock& block) { return block.isLive; };
    const auto gone = std::erase_if(
        start, [&](const RecordedSegment& segment) { return std::ranges::none_of(segment.blocks, isLive); });
    m_outcome.flushes += gone > 0 ? 1 : 0;
    m_outcome.retries += gone > 0 ? 1 : 0;
    return start;
}

void Replay::restoreStart()
{
    m_allocator.restore(snapshotOf(startThatFits()), rangeBeginsOf(m_recording));
    for (const RecordedSegment& segment : m_recording.before)
        for (const RecordedBlock& block : segment.blocks) {
            if (!block.isLive)
                continue;
            m_simulated.emplace(block.address, block.address);
            if (!block.isPending)
                continue;
            m_pending.emplace(block.address, m_nextPending);
            m_allocator.recordStream(block.address, m_nextPending++);
            m_allocator.free(block.address);
        }
}

void Replay::requestStart()
{
    if (m_recording.heldBefore.allocated > 0) // in blocks that nobody knows
        m_allocator.allocate(m_recording.heldBefore.allocated);
    for (const RecordedSegment& segment : m_recording.before)
        for (const RecordedBlock& block : segment.blocks)
            if (block.isLive)
                m_simulated.emplace(block.address,
                    m_allocator.allocate(block.requestedBytes, streamIn(segment.privatePool, segment.stream)));
}

void Replay::follow(const trace::AllocatorEvent& event)
{
    if (m_servedListener)
        m_servedListener(event);
    switch (event.action) {
    case trace::Action::Alloc:
        m_blockBytes = event.bytes;
        break;
    case trace::Action::SegmentAlloc:
    case trace::Action::SegmentMap:
        m_takenMemory.parts.push_back(event.bytes);
        break;
    case trace::Action::SegmentFree:
    case trace::Action::SegmentUnmap:
        m_freedMemory.parts.push_back(event.bytes);
        break;
    default:
        break;
    }
}

ReplayOutcome Replay::run(const std::stop_token& stop)
{
    try {
        m_terms.areRecordedSettings ? restoreStart() : requestStart();
    } catch (const OutOfMemory& error) {
        fail(error, std::nullopt);
    }
    noteReservedPeak(0);
    m_allocator.setObserver([this](const trace::AllocatorEvent& event) { follow(event); });
    const auto& events = m_recording.events;
    for (std::size_t i = 0; i < events.size() && !(m_outcome.failure && !m_outcome.failure->isRecorded); ++i) {
        if ((i & 0xFFFFU) == 0 && stop.stop_requested())
            break;
        step(i);
        if (m_listener)
            m_listener(i, m_allocator.stats());
    }
    if (!m_recordedFlush.parts.empty())
        flushBefore(events.size());
    const simulator::DeviceStats& stats = m_allocator.stats();
    m_outcome.retries = stats.numAllocRetries + m_outcome.retries;
    m_outcome.flushes += stats.numAllocRetries;
    m_outcome.peakAllocatedBytes = stats.allocatedBytes.aggregate.peak;
    m_outcome.peakReservedBytes = stats.reservedBytes.aggregate.peak;
    return m_outcome;
}

void Replay::step(std::size_t index)
{
    const RecordedEvent& event = m_recording.events[index];
    if (givesBack(event.kind)) {
        if (m_recordedFlush.parts.empty()) {
            m_flushFirst = index;
            m_reservedBeforeFlush = m_recordedReserved;
        }
        m_recordedReserved -= event.bytes;
        m_recordedFlush.parts.push_back(event.bytes);
        return;
    }
    if (!m_recordedFlush.parts.empty())
        flushBefore(index);
    m_recordedReserved += reservedChangeOf(event);
    switch (event.kind) {
    case EventKind::Alloc:
        allocate(index);
        break;
    case EventKind::FreeRequested:
        requestFree(index);
        break;
    case EventKind::FreeCompleted:
        completeFree(event);
        break;
    case EventKind::SegmentAlloc:
    case EventKind::SegmentMap:
        takeMemory(event);
        break;
    case EventKind::OutOfMemory:
        runOutAsRecorded(index);
        break;
    default:
        break;
    }
}

// The allocation that it was taken for comes next.
void Replay::takeMemory(const RecordedEvent& event)
{
    if (isDictated() && event.kind == EventKind::SegmentAlloc)
        m_allocator.dictateSegment(event.address);
    if (isDictated() && event.kind == EventKind::SegmentMap && m_recordedMemory.parts.empty())
        m_allocator.dictateRange(event.address);
    m_recordedMemory.parts.push_back(event.bytes);
}

void Replay::allocate(std::size_t index)
{
    const RecordedEvent& event = m_recording.events[index];
    m_takenMemory.clear();
    try {
        const Address address = m_allocator.allocate(event.bytes, streamIn(event.privatePool, event.stream));
        noteServed(event, address);
        m_simulated.insert_or_assign(event.address, address);
        if (m_blockListener)
            m_blockListener(index, m_blockBytes);
    } catch (const OutOfMemory& error) {
        fail(error, index);
    }
    noteReservedPeak(event.timeNs);
    m_recordedMemory.clear();
    m_allocator.dictateSegment(std::nullopt);
    m_allocator.dictateRange(std::nullopt);
}

// Memory that grows in other steps than segments do is the same where both are new.
void Replay::noteServed(const RecordedEvent& event, Address address)
{
    ++m_outcome.allocations;
    m_outcome.placedAsRecorded += address == event.address ? 1 : 0;
    const bool isNewInBoth = !m_recordedMemory.parts.empty() && !m_takenMemory.parts.empty();
    const bool isCachedInBoth = m_recordedMemory.parts.empty() && m_takenMemory.parts.empty();
    const bool isSameSize = !m_terms.areRecordedSettings || m_recordedMemory.total() == m_takenMemory.total();
    m_outcome.servedAsRecorded += isCachedInBoth || (isNewInBoth && isSameSize) ? 1 : 0;
}

// A block whose completion does not follow at once is still used by a stream.
void Replay::requestFree(std::size_t index)
{
    const RecordedEvent& event = m_recording.events[index];
    const auto found = m_simulated.find(event.address);
    if (found == m_simulated.end())
        return;
    const bool isCompleted = index + 1 < m_recording.events.size()
        && m_recording.events[index + 1].kind == EventKind::FreeCompleted
        && m_recording.events[index + 1].address == event.address;
    if (!isCompleted) {
        m_pending.insert_or_assign(event.address, m_nextPending);
        m_allocator.recordStream(found->second, m_nextPending++);
    }
    m_allocator.free(found->second);
    m_simulated.erase(found);
}

void Replay::completeFree(const RecordedEvent& event)
{
    if (const auto pending = m_pending.find(event.address); pending != m_pending.end()) {
        m_allocator.synchronize(pending->second);
        m_pending.erase(pending);
        m_simulated.erase(event.address);
        return;
    }
    if (const auto node = m_simulated.extract(event.address)) // its request came before the recording
        m_allocator.free(node.mapped());
}

Replay::FlushCause Replay::causeOf(std::size_t next) const
{
    const RecordedEvent& flush = m_recording.events[m_flushFirst];
    if (isEmptyCache(m_owners.of(flush.owner).frames))
        return FlushCause::EmptyCache;
    if (next >= m_recording.events.size())
        return FlushCause::EmptyCache;
    const RecordedEvent& after = m_recording.events[next];
    if (!asksTheDevice(after.kind))
        return FlushCause::EmptyCache;
    const bool isKnown = flush.owner != trace::kUnknownOwner && after.owner != trace::kUnknownOwner;
    // More was reserved at another time: without a stack to tell, a request that fits into that needs no flush.
    const bool mayHaveFailed =
        after.kind == EventKind::OutOfMemory || m_reservedBeforeFlush + after.bytes > m_recordedPeak;
    return (isKnown ? isOfSameCall(flush, after) : mayHaveFailed) ? FlushCause::Retry : FlushCause::EmptyCache;
}

void Replay::flushBefore(std::size_t index)
{
    const FlushCause cause = causeOf(index);
    const bool isRepeated = cause == FlushCause::EmptyCache ? m_terms.emptiesCache : !m_terms.capacityBytes;
    if (isRepeated) {
        m_freedMemory.clear();
        m_allocator.emptyCache();
        ++m_outcome.flushes;
        ++m_outcome.recordedFlushes;
        m_outcome.retries += cause == FlushCause::Retry ? 1 : 0;
        std::ranges::sort(m_freedMemory.parts);
        std::ranges::sort(m_recordedFlush.parts);
        m_outcome.flushesOfTheRecordedSet += m_freedMemory.parts == m_recordedFlush.parts ? 1 : 0;
    }
    m_recordedFlush.clear();
}

// What would have come next, had it been served, nobody knows: the block goes back at once.
void Replay::runOutAsRecorded(std::size_t index)
{
    const RecordedEvent& event = m_recording.events[index];
    m_recordedMemory.clear();
    if (!m_terms.capacityBytes) {
        const auto& stats = m_allocator.stats();
        simulator::OutOfMemoryFacts facts{.requestedBytes = event.bytes,
            .freeDeviceBytes = static_cast<Bytes>(event.address),
            .allocatedBytes = stats.allocatedBytes.aggregate.current,
            .reservedBytes = stats.reservedBytes.aggregate.current};
        facts.segmentBytes = m_terms.settings.segmentBytes(m_terms.settings.roundedBytes(event.bytes));
        facts.missingBytes = std::max<Bytes>(0, facts.segmentBytes - facts.freeDeviceBytes);
        m_outcome.failure = ReplayFailure{index, event.timeNs, facts, event.owner, true};
        return;
    }
    try {
        const Address address = m_allocator.allocate(event.bytes, event.stream);
        ++m_outcome.fittingNow;
        noteReservedPeak(event.timeNs);
        m_allocator.free(address);
    } catch (const OutOfMemory& error) {
        fail(error, index);
    }
}

void Replay::fail(const OutOfMemory& error, std::optional<std::size_t> index)
{
    ReplayFailure failure{.event = index, .facts = error.facts()};
    if (index) {
        failure.timeNs = m_recording.events[*index].timeNs;
        failure.owner = m_recording.events[*index].owner;
    }
    m_outcome.failure = failure;
}

void Replay::noteReservedPeak(std::int64_t timeNs)
{
    const simulator::DeviceStats& stats = m_allocator.stats();
    const Bytes reserved = stats.reservedBytes.aggregate.current;
    const bool isFuller = reserved == m_outcome.peakReservedBytes
        && stats.allocatedBytes.aggregate.current > m_outcome.allocatedAtReservedPeakBytes;
    if (reserved <= m_outcome.peakReservedBytes && !isFuller)
        return;
    m_outcome.peakReservedBytes = reserved;
    m_outcome.allocatedAtReservedPeakBytes = stats.allocatedBytes.aggregate.current;
    m_outcome.reservedPeakTimeNs = timeNs;
}

} // namespace headroom::recordings
