// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/Replay.h"

#include "profiling/recordings/TracedEvents.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::recordings {
namespace {

using simulator::CachingAllocator;
using simulator::parseAllocatorSettings;

/// Requests that do not depend on how they are served.
class FixedProgram {
public:
    FixedProgram(unsigned seed, int steps)
    {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t bound) { return random() % bound; };
        const Bytes magnitudes[] = {700, 60 * kKiB, kMiB, 3 * kMiB, 12 * kMiB, 12 * kMiB, 90 * kMiB};
        std::size_t live = 0;
        for (int i = 0; i < steps; ++i) {
            const auto kind = below(100);
            if (kind < 54 || live == 0) {
                const auto most = static_cast<std::size_t>(magnitudes[below(7)]);
                m_steps.push_back({Kind::Allocate, 1 + static_cast<Bytes>(below(most)), below(3)});
                ++live;
            } else if (kind < 92) {
                m_steps.push_back({Kind::Free, 0, below(live)});
                --live;
            } else if (kind < 96) {
                m_steps.push_back({Kind::Use, static_cast<Bytes>(below(3)), below(live)});
            } else {
                m_steps.push_back({Kind::Synchronize, 0, below(3)});
            }
        }
    }

    void run(CachingAllocator& allocator) const
    {
        std::vector<Address> live;
        for (const Step& step : m_steps) {
            const auto block = live.begin() + static_cast<std::ptrdiff_t>(step.place);
            if (step.kind == Kind::Allocate) {
                live.push_back(allocator.allocate(step.bytes, static_cast<Stream>(step.place)));
            } else if (step.kind == Kind::Free) {
                allocator.free(*block);
                live.erase(block);
            } else if (step.kind == Kind::Use) {
                allocator.recordStream(*block, static_cast<Stream>(step.bytes));
            } else {
                allocator.synchronize(static_cast<Stream>(step.place));
            }
        }
    }

private:
    enum class Kind { Allocate, Free, Use, Synchronize };
    struct Step {
        Kind kind;
        Bytes bytes; ///< of Use: the stream
        std::size_t place; ///< among the living; of Allocate and Synchronize: the stream
    };

    std::vector<Step> m_steps;
};

DeviceRecording recorded(const FixedProgram& program, const std::string& settings)
{
    CachingAllocator allocator({}, parseAllocatorSettings(settings));
    RecordedTraceBuilder builder;
    std::int64_t timeNs = 0;
    allocator.setClock([&] { return timeNs++; });
    allocator.setObserver([&](const trace::AllocatorEvent& event) { builder.add({}, {&event, 1}); });
    program.run(allocator);
    return builder.take();
}

const std::vector<std::string> kSettings{"", "expandable_segments:True", "max_split_size_mb:32",
    "roundup_power2_divisions:4", "roundup_power2_divisions:[1:4,16:8,>:2],max_split_size_mb:20",
    "large_segment_size_mb:64,max_non_split_rounding_mb:64"};

TEST(ReplayTest, requestsOfOneSettingServedUnderAnotherAreWhatTheOtherWouldHaveDone)
{
    constexpr unsigned kPrograms = 200;
    const trace::OwnerTable owners;
    for (unsigned seed = 0; seed < kPrograms; ++seed) {
        const FixedProgram program(seed, 400);
        const std::string& from = kSettings[seed % kSettings.size()];
        const std::string& to = kSettings[(seed / kSettings.size() + seed + 1) % kSettings.size()];
        SCOPED_TRACE("program " + std::to_string(seed) + ", \"" + from + "\" to \"" + to + "\"");
        const DeviceRecording recording = recorded(program, from);
        CachingAllocator truth({}, parseAllocatorSettings(to));
        program.run(truth);
        ReplayTerms terms{.settings = parseAllocatorSettings(to), .areRecordedSettings = from == to};
        terms.platform = config::SegmentAddresses::Ascending;
        terms.addresses = ReplayAddresses::Platform;
        Replay replay(recording, owners, terms);
        const ReplayOutcome outcome = replay.run();
        EXPECT_EQ(replay.allocator().stats(), truth.stats());
        EXPECT_EQ(outcome.peakReservedBytes, truth.stats().reservedBytes.aggregate.peak);
        EXPECT_FALSE(outcome.failure);
    }
}

/// Any combination of settings, which may contradict each other in nothing.
std::string drawnSettings(std::mt19937& random)
{
    const std::vector<std::vector<std::string>> choices{{"", "expandable_segments:True"},
        {"", "max_split_size_mb:20", "max_split_size_mb:64", "max_split_size_mb:200"},
        {"", "roundup_power2_divisions:4", "roundup_power2_divisions:[1:4,16:8,>:2]"},
        {"", "garbage_collection_threshold:0.5", "garbage_collection_threshold:0.9"},
        {"", "per_process_memory_fraction:0.6", "per_process_memory_fraction:0.95"}};
    std::string settings;
    for (const std::vector<std::string>& choice : choices)
        if (const std::string& drawn = choice[random() % choice.size()]; !drawn.empty())
            settings += (settings.empty() ? "" : ",") + drawn;
    return settings;
}

std::string inWords(const simulator::Stat& stat)
{
    return std::to_string(stat.current) + " of " + std::to_string(stat.peak) + ", " + std::to_string(stat.allocated)
        + " less " + std::to_string(stat.freed);
}

// What a failure of the comparison shows.
std::string inWords(const simulator::DeviceStats& stats)
{
    std::string text;
    const auto add = [&](const char* name, const simulator::StatArray& stat) {
        text += std::string(name) + ": small " + inWords(stat.small) + "; large " + inWords(stat.large) + "\n";
    };
    add("allocations", stats.allocation);
    add("segments", stats.segment);
    add("active", stats.active);
    add("inactive splits", stats.inactiveSplit);
    add("allocated bytes", stats.allocatedBytes);
    add("reserved bytes", stats.reservedBytes);
    add("active bytes", stats.activeBytes);
    add("inactive split bytes", stats.inactiveSplitBytes);
    add("requested bytes", stats.requestedBytes);
    text += "oversize allocations " + inWords(stats.oversizeAllocations) + "\noversize segments "
        + inWords(stats.oversizeSegments) + "\n";
    return text + "retries " + std::to_string(stats.numAllocRetries) + ", failures " + std::to_string(stats.numOoms)
        + ", waits " + std::to_string(stats.numSyncAllStreams) + ", taken " + std::to_string(stats.numDeviceAlloc)
        + ", returned " + std::to_string(stats.numDeviceFree) + ", rejected " + std::to_string(stats.numOomRejections);
}

/// What the simulation does with a program on a device of some size.
struct Truth {
    simulator::DeviceStats stats;
    bool hasFailed = false;
};

Truth truthOf(const FixedProgram& program, const std::string& settings, std::optional<Bytes> capacity)
{
    simulator::DeviceCapacity device;
    if (capacity)
        device.limitBytes = device.totalBytes = *capacity;
    CachingAllocator allocator(device, parseAllocatorSettings(settings));
    Truth truth;
    try {
        program.run(allocator);
    } catch (const simulator::OutOfMemory&) {
        truth.hasFailed = true;
    }
    truth.stats = allocator.stats();
    return truth;
}

// A wait for all streams frees the blocks that they still used, one after the other, in an order that a recording does
// not tell. What lies free between two of them meanwhile is in no state that anybody sees, but in the two peaks of it.
simulator::DeviceStats told(simulator::DeviceStats stats)
{
    if (stats.numSyncAllStreams > 0) {
        stats.inactiveSplit.resetPeak();
        stats.inactiveSplitBytes.resetPeak();
    }
    return stats;
}

// Also where the other settings run out of memory on the way, or collect garbage to get through.
TEST(ReplayTest, anyCombinationOfSettingsOnAnyCardIsWhatTheSimulationWouldHaveDone)
{
    constexpr unsigned kPrograms = 400;
    int failed = 0;
    int collected = 0;
    for (unsigned seed = 0; seed < kPrograms; ++seed) {
        std::mt19937 random(seed + 1'000);
        const FixedProgram program(seed + 500, 400);
        const std::string from = kSettings[random() % kSettings.size()];
        const std::string to = drawnSettings(random);
        const DeviceRecording recording = recorded(program, from);
        std::optional<Bytes> capacity;
        if (random() % 4 != 0)
            capacity = truthOf(program, "", std::nullopt).stats.reservedBytes.aggregate.peak
                * static_cast<Bytes>(50 + random() % 100) / 100;
        SCOPED_TRACE("program " + std::to_string(seed) + ", \"" + from + "\" to \"" + to + "\" with "
            + std::to_string(capacity.value_or(0)));
        const Truth truth = truthOf(program, to, capacity);
        ReplayTerms terms{
            .settings = parseAllocatorSettings(to), .areRecordedSettings = false, .capacityBytes = capacity};
        terms.platform = config::SegmentAddresses::Ascending;
        terms.addresses = ReplayAddresses::Platform;
        Replay replay(recording, {}, terms);
        const ReplayOutcome outcome = replay.run();
        EXPECT_EQ(inWords(told(replay.allocator().stats())), inWords(told(truth.stats)));
        EXPECT_EQ(told(replay.allocator().stats()), told(truth.stats));
        EXPECT_EQ(outcome.failure.has_value(), truth.hasFailed);
        failed += truth.hasFailed ? 1 : 0;
        collected += capacity && to.find("garbage") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(failed, 100);
    EXPECT_LT(failed, 200);
    EXPECT_GT(collected, 50);
}

TEST(ReplayTest, aRecordingIsServedAsItWasUnderItsOwnSettings)
{
    for (const std::string& settings : kSettings) {
        SCOPED_TRACE(settings);
        const DeviceRecording recording = recorded(FixedProgram(7, 2000), settings);
        const ReplayOutcome outcome = Replay(recording, {}, {.settings = parseAllocatorSettings(settings)}).run();
        EXPECT_GT(outcome.allocations, 900);
        EXPECT_EQ(outcome.servedAsRecorded, outcome.allocations);
        EXPECT_EQ(outcome.placedAsRecorded, outcome.allocations);
    }
}

TEST(ReplayTest, theSmallestCapacityServesAllAndTwoMebibytesLessDoNot)
{
    const DeviceRecording recording = recorded(FixedProgram(3, 800), "");
    const trace::OwnerTable owners;
    ReplayTerms terms;
    const Bytes smallest = smallestCapacity(recording, owners, terms);
    terms.capacityBytes = smallest;
    EXPECT_FALSE(Replay(recording, owners, terms).run().failure);
    terms.capacityBytes = smallest - 2 * kMiB;
    const ReplayOutcome failed = Replay(recording, owners, terms).run();
    ASSERT_TRUE(failed.failure);
    EXPECT_FALSE(failed.failure->isRecorded);
    EXPECT_GT(failed.failure->facts.missingBytes, 0);
    EXPECT_EQ(recording.events.at(failed.failure->event.value()).bytes, failed.failure->facts.requestedBytes);
}

// More memory does not always serve more: the smallest that is told is never above one that was tried and is enough.
TEST(ReplayTest, theSmallestCapacityIsNoneAboveOneThatServes)
{
    int isolated = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const DeviceRecording recording = recorded(FixedProgram(seed, 600), "");
        const Bytes byHalving = smallestCapacity(recording, {}, {});
        for (Bytes less = 2 * kMiB; less < 60 * kMiB; less += 2 * kMiB) {
            const Bytes tried = byHalving - less;
            if (Replay(recording, {}, {.capacityBytes = tried}).run().failure)
                continue;
            ++isolated;
            EXPECT_LE(smallestCapacity(recording, {}, {}, {}, tried), tried) << seed;
        }
    }
    EXPECT_GT(isolated, 0);
}

// Of fifty thousand streams that keep what they have, halving took a minute.
TEST(ReplayTest, aRecordingThatGivesNothingBackNeedsAllThatItReserves)
{
    for (const char* settings : {"", "expandable_segments:True", "max_split_size_mb:32"}) {
        SCOPED_TRACE(settings);
        DeviceRecording recording = recorded(FixedProgram(5, 400), "");
        std::erase_if(recording.events, [](const RecordedEvent& event) { return event.kind != EventKind::Alloc; });
        ReplayTerms terms{.settings = parseAllocatorSettings(settings)};
        const Bytes smallest = smallestCapacity(recording, {}, terms);
        for (Bytes less = 0; less < 40 * kMiB; less += 2 * kMiB) {
            terms.capacityBytes = smallest - less;
            EXPECT_EQ(Replay(recording, {}, terms).run().failure.has_value(), less > 0) << less;
        }
    }
}

DeviceRecording byHand(std::vector<RecordedEvent> events)
{
    DeviceRecording recording;
    for (std::size_t i = 0; i < events.size(); ++i)
        events[i].timeNs = static_cast<std::int64_t>(i);
    recording.events = std::move(events);
    return recording;
}

constexpr Address kFirst = 0x7f0000000000;

// 20 MiB for the first block; it is freed and the cache emptied before the second, which needs 30 MiB.
DeviceRecording withEmptyCache()
{
    return byHand({{kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::SegmentAlloc},
        {kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::Alloc}, {kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::FreeRequested},
        {kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::FreeCompleted},
        {kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::SegmentFree}, {kFirst, kMiB / 2, 0, 0, 0, 0, EventKind::Alloc},
        {kFirst + (64 << 20), 30 * kMiB, 0, 0, 0, 0, EventKind::SegmentAlloc},
        {kFirst + (64 << 20), 30 * kMiB, 0, 0, 0, 0, EventKind::Alloc}});
}

TEST(ReplayTest, callsOfEmptyCacheCanBeLeftOut)
{
    const DeviceRecording recording = withEmptyCache();
    const ReplayOutcome with = Replay(recording, {}, {}).run();
    const ReplayOutcome without = Replay(recording, {}, {.emptiesCache = false}).run();
    EXPECT_EQ(with.flushes, 1);
    EXPECT_EQ(with.peakReservedBytes, 32 * kMiB);
    EXPECT_EQ(without.flushes, 0);
    EXPECT_EQ(without.peakReservedBytes, 52 * kMiB);
    EXPECT_EQ(without.peakReservedBytes - without.allocatedAtReservedPeakBytes, 52 * kMiB - 30 * kMiB - kMiB / 2);
}

// 40 MiB in two segments, both in use; a request of 30 MiB failed with 25 MiB free.
DeviceRecording thatRanOut()
{
    return byHand(
        {{kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::SegmentAlloc}, {kFirst, 20 * kMiB, 0, 0, 0, 0, EventKind::Alloc},
            {kFirst + (32 << 20), 20 * kMiB, 0, 0, 0, 0, EventKind::SegmentAlloc},
            {kFirst + (32 << 20), 20 * kMiB, 0, 0, 0, 0, EventKind::Alloc},
            {25 << 20, 30 * kMiB, 0, 0, 0, 0, EventKind::OutOfMemory}});
}

TEST(ReplayTest, aFailureTellsTheMemoryThatOtherSettingsHaveToo)
{
    const DeviceRecording recording = thatRanOut();
    EXPECT_EQ(capacityTold(recording, {}), 65 * kMiB);
    const ReplayOutcome asRecorded = Replay(recording, {}, {}).run();
    ASSERT_TRUE(asRecorded.failure);
    EXPECT_TRUE(asRecorded.failure->isRecorded);
    EXPECT_EQ(asRecorded.failure->facts.missingBytes, 5 * kMiB);
    const ReplayOutcome larger = Replay(recording, {}, {.capacityBytes = 70 * kMiB}).run();
    EXPECT_FALSE(larger.failure);
    EXPECT_EQ(larger.fittingNow, 1);
    EXPECT_EQ(larger.peakReservedBytes, 70 * kMiB);
    const ReplayOutcome same = Replay(recording, {}, {.capacityBytes = 65 * kMiB}).run();
    ASSERT_TRUE(same.failure);
    EXPECT_FALSE(same.failure->isRecorded);
    EXPECT_EQ(same.failure->event, std::optional<std::size_t>(4));
}

// A segment of 20 MiB in use, a cached one of 40 MiB; then a block that needs 30 MiB of its own.
DeviceRecording thatBeganWithACache()
{
    constexpr Address kCached = kFirst + (256 << 20);
    DeviceRecording recording = byHand({{kFirst + (64 << 20), 30 * kMiB, 0, 0, 1, 0, EventKind::SegmentAlloc},
        {kFirst + (64 << 20), 30 * kMiB, 0, 0, 1, 0, EventKind::Alloc}});
    recording.before = {
        {kFirst, 20 * kMiB, 0, PoolKind::Large, false, {{kFirst, 20 * kMiB, 20 * kMiB, true, false, 0}}},
        {kCached, 40 * kMiB, 0, PoolKind::Large, false, {{kCached, 40 * kMiB, 0, false, false, 0}}}};
    return recording;
}

TEST(ReplayTest, aCacheFromBeforeTheRecordingGivesWayOnASmallerCard)
{
    const DeviceRecording recording = thatBeganWithACache();
    const ReplayOutcome asRecorded = Replay(recording, {}, {}).run();
    EXPECT_EQ(asRecorded.peakReservedBytes, 90 * kMiB);
    EXPECT_EQ(asRecorded.flushes, 0);
    const ReplayOutcome smaller = Replay(recording, {}, {.capacityBytes = 55 * kMiB}).run();
    EXPECT_FALSE(smaller.failure);
    EXPECT_EQ(smaller.peakReservedBytes, 50 * kMiB);
    EXPECT_EQ(smaller.flushes, 1);
    EXPECT_EQ(smallestCapacity(recording, {}, {}), 50 * kMiB);
    EXPECT_TRUE(Replay(recording, {}, {.capacityBytes = 18 * kMiB}).run().failure);
}

} // namespace
} // namespace headroom::recordings
