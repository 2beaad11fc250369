// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/FrameCategories.h"
#include "profiling/recordings/Replay.h"

#include <algorithm>
#include <limits>

namespace headroom::recordings {
namespace {

constexpr Bytes kCapacityStep = 2 * kMiB;

bool isServed(const DeviceRecording& recording, const trace::OwnerTable& owners, ReplayTerms terms, Bytes capacity,
    const std::stop_token& stop)
{
    terms.capacityBytes = capacity;
    return !Replay(recording, owners, terms).run(stop).failure;
}

// Then the cache never holds a whole segment that a flush could give back.
bool givesNothingBack(const DeviceRecording& recording)
{
    return std::ranges::none_of(recording.events, [](const RecordedEvent& event) {
        return event.kind == EventKind::FreeRequested || event.kind == EventKind::FreeCompleted;
    }) && std::ranges::all_of(recording.before, [](const RecordedSegment& segment) {
        return std::ranges::any_of(segment.blocks, &RecordedBlock::isLive);
    });
}

bool tellsBlockSizes(const DeviceRecording& recording)
{
    return std::ranges::all_of(
        recording.events, [](const RecordedEvent& event) { return !isOfBlock(event.kind) || event.blockBytes > 0; });
}

void completeByRounding(DeviceRecording& recording, const simulator::AllocatorSettings& settings)
{
    for (RecordedEvent& event : recording.events)
        if (isOfBlock(event.kind) && event.blockBytes == 0)
            event.blockBytes = settings.roundedBytes(event.bytes);
}

// Frees have the size and the owner of the block that they free: their own stacks are of the call that gave it back.
void completeFrees(DeviceRecording& recording)
{
    struct Live {
        Bytes bytes = 0;
        trace::OwnerId owner = trace::kUnknownOwner;
    };
    std::unordered_map<Address, Live> live;
    for (const RecordedSegment& segment : recording.before)
        for (const RecordedBlock& block : segment.blocks)
            if (block.isLive)
                live[block.address] = {block.bytes, block.owner};
    for (RecordedEvent& event : recording.events) {
        if (event.kind == EventKind::Alloc || event.kind == EventKind::Relabelled) {
            live[event.address] = {event.blockBytes, event.owner};
        } else if (event.kind == EventKind::FreeRequested || event.kind == EventKind::FreeCompleted) {
            if (const auto found = live.find(event.address); found != live.end()) {
                event.blockBytes = found->second.bytes;
                event.owner = found->second.owner;
            }
        }
    }
}

// Whether every block came to lie where it lay; else nothing is told.
bool sizeByReplay(
    DeviceRecording& recording, const trace::OwnerTable& owners, const simulator::AllocatorSettings& settings)
{
    Replay replay(recording, owners, {.settings = settings});
    replay.setBlockListener([&](std::size_t event, Bytes bytes) { recording.events[event].blockBytes = bytes; });
    const ReplayOutcome outcome = replay.run();
    const bool isExact =
        outcome.placedAsRecorded == outcome.allocations && outcome.flushesOfTheRecordedSet == outcome.recordedFlushes;
    if (!isExact)
        for (RecordedEvent& event : recording.events)
            event.blockBytes = 0;
    return isExact;
}

} // namespace

std::optional<Bytes> capacityTold(const DeviceRecording& recording, const trace::OwnerTable& owners)
{
    const Bytes peak = recording.peakReservedBytes();
    Bytes reserved = recording.reservedBefore();
    std::optional<Bytes> told;
    const auto note = [&](Bytes bytes) { told = told ? std::min(*told, bytes) : bytes; };
    Bytes beforeFlush = 0;
    const RecordedEvent* flush = nullptr;
    for (const RecordedEvent& event : recording.events) {
        const bool givesBack = event.kind == EventKind::SegmentFree || event.kind == EventKind::SegmentUnmap;
        if (givesBack && flush == nullptr) {
            flush = &event;
            beforeFlush = reserved;
        }
        if (event.kind == EventKind::OutOfMemory)
            note(reserved + static_cast<Bytes>(event.address));
        const bool isRetry = flush != nullptr && event.kind == EventKind::SegmentAlloc && flush->owner == event.owner
            && !isEmptyCache(owners.of(flush->owner).frames) && beforeFlush + event.bytes > peak;
        if (isRetry)
            note(beforeFlush + event.bytes - 1);
        if (!givesBack)
            flush = nullptr;
        reserved += reservedChangeOf(event);
    }
    return told ? std::optional(std::max(*told, peak)) : std::nullopt;
}

Bytes smallestCapacity(const DeviceRecording& recording, const trace::OwnerTable& owners, ReplayTerms terms,
    const std::stop_token& stop, std::optional<Bytes> served)
{
    terms.capacityBytes = simulator::kUnlimitedBytes;
    const ReplayOutcome free = Replay(recording, owners, terms).run(stop);
    Bytes fails = roundUp(free.peakAllocatedBytes, kCapacityStep) - kCapacityStep;
    Bytes fits = roundUp(free.peakReservedBytes, kCapacityStep);
    if (served) // segments come in whole steps: less than one more is of no use
        fits = std::min(fits, *served / kCapacityStep * kCapacityStep);
    if (givesNothingBack(recording))
        return fits;
    while (fits - fails > kCapacityStep && !stop.stop_requested()) {
        const Bytes middle = fails + roundUp((fits - fails) / 2, kCapacityStep);
        const Bytes tried = middle == fits ? fits - kCapacityStep : middle;
        (isServed(recording, owners, terms, tried, stop) ? fits : fails) = tried;
    }
    return fits;
}

bool completeBlockSizes(
    DeviceRecording& recording, const trace::OwnerTable& owners, const simulator::AllocatorSettings& settings)
{
    const bool isExact = tellsBlockSizes(recording) || sizeByReplay(recording, owners, settings);
    completeByRounding(recording, settings);
    completeFrees(recording);
    return isExact;
}

} // namespace headroom::recordings
