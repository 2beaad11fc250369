// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/PeakContents.h"

#include "experiments/verdict/PeakSentences.h"
#include "profiling/recordings/TracedEvents.h"
#include "profiling/trace/FrameText.h"
#include "profiling/trace/peaks/PeakProfile.h"

#include <algorithm>
#include <cstdlib>

namespace headroom::experiments {
namespace {

using trace::AllocatorEvent;

/// The place of the event after which the most is allocated, among all of a device's, and how much that is.
struct PeakPlace {
    std::size_t event = 0;
    Bytes bytes = 0;
};

PeakPlace peakOf(const recordings::DeviceRecording& device)
{
    trace::MemoryCounters now = device.heldBefore;
    PeakPlace peak{0, now.allocated};
    std::size_t place = 0;
    recordings::eachTracedEvent(device, [&](std::span<const AllocatorEvent> events) {
        for (const AllocatorEvent& event : events) {
            now.apply(event);
            ++place;
            if (now.allocated > peak.bytes)
                peak = {place, now.allocated};
        }
    });
    return peak;
}

std::vector<NamedDifference> differencesOf(const std::map<std::string, Bytes>& a, const std::map<std::string, Bytes>& b)
{
    std::map<std::string, NamedDifference> both;
    for (const auto& [name, bytes] : a)
        both[name].aBytes = bytes;
    for (const auto& [name, bytes] : b)
        both[name].bBytes = bytes;
    std::vector<NamedDifference> differences;
    for (auto& [name, difference] : both) {
        difference.name = name;
        if (difference.difference() != 0)
            differences.push_back(std::move(difference));
    }
    std::ranges::stable_sort(
        differences, std::ranges::greater(), [](const NamedDifference& one) { return std::abs(one.difference()); });
    return differences;
}

} // namespace

PeakContents peakContentsOf(const trace::Holdings& holdings, const trace::OwnerTable& owners)
{
    PeakContents contents;
    bool hasFrames = false;
    for (const trace::Holding& part : holdings.parts) {
        const trace::MemoryOwner& owner = owners.of(part.owner);
        contents.categories[std::string(config::toText(owner.category))] += part.bytes;
        contents.modules[trace::partOfModel(owner.module)] += part.bytes;
        contents.frames[trace::innermostFrame(owner.frames)] += part.bytes;
        hasFrames = hasFrames || !owner.frames.empty();
    }
    if (!hasFrames)
        contents.frames.clear();
    return contents;
}

trace::Holdings holdingsAtPeak(const recordings::Recording& recording, const recordings::DeviceRecording& device)
{
    const PeakPlace peak = peakOf(device);
    trace::LiveHoldings live(device.heldBefore, recording.phases);
    std::size_t place = 0;
    recordings::eachTracedEvent(device, [&](std::span<const AllocatorEvent> events) {
        for (const AllocatorEvent& event : events)
            if (place++ < peak.event)
                live.apply(event);
    });
    return live.holdings();
}

PeakContents peakContentsOf(const recordings::Recording& recording, const recordings::DeviceRecording& device)
{
    return peakContentsOf(holdingsAtPeak(recording, device), recording.owners);
}

PeakContents peakContentsOf(const protocol::MemoryBreakdown& breakdown)
{
    PeakContents contents;
    for (const trace::PeakShare& share : profileOf(breakdown).shares) {
        contents.categories[std::string(config::toText(share.category))] += share.bytes;
        contents.modules[trace::partOfModel(share.module)] += share.bytes;
    }
    return contents;
}

PeakExplanation explanationOf(const PeakContents& a, const PeakContents& b)
{
    const bool haveFrames = !a.frames.empty() && !b.frames.empty();
    return {differencesOf(a.categories, b.categories), differencesOf(a.modules, b.modules),
        haveFrames ? differencesOf(a.frames, b.frames) : std::vector<NamedDifference>()};
}

} // namespace headroom::experiments
