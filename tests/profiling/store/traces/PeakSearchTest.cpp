// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/PeakSearch.h"

#include "profiling/store/traces/RangeStatistics.h"
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/pyramids/MemoryTimeline.h"

#include <algorithm>

namespace headroom::store {
namespace {

class PeakSearchTest : public StoreTest {
protected:
    void expectSamePeaks(std::size_t events, const trace::MemoryCounters& before)
    {
        const auto trace = trace::randomTrace(events);
        const trace::MemoryTimeline expected(trace, before);
        Workspace workspace = create();
        RepeatImport source = repeatOf(addTrial(workspace), 0);
        source.tracks.push_back({"device", trace, before});
        const std::int64_t repeat = workspace.importRepeat(source).repeat;
        std::mt19937_64 random(5);
        const std::int64_t endNs = expected.lastNs() + 1'000;
        for (int round = 0; round < 80; ++round) {
            const std::int64_t length = 1 + (endNs >> (random() % 30));
            const std::int64_t from = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(endNs)) - 500;
            const trace::Counter counter = trace::kCounters[random() % 3];
            EXPECT_EQ(findPeak(workspace.trace(), {repeat, "device", counter}, from, from + length),
                expected.peak(counter, from, from + length))
                << from << ' ' << length;
        }
    }
};

TEST_F(PeakSearchTest, peaksOfLongTracksAreThoseOfTheEvents)
{
    expectSamePeaks(200'000, {.allocated = 1, .reserved = 2, .active = 3});
}

TEST_F(PeakSearchTest, peaksOfShortTracksAreThoseOfTheEvents)
{
    expectSamePeaks(900, {.allocated = 70'000'000, .reserved = 2, .active = 3});
}

TEST_F(PeakSearchTest, aTrackThatIsNotThereHasAPeakOfNothing)
{
    Workspace workspace = create();
    const trace::Peak nothing{0, 10};
    EXPECT_EQ(findPeak(workspace.trace(), {7, "device", trace::Counter::Allocated}, 10, 20), nothing);
}

// Every block by itself, for each phase: who allocated it, and is it still there?
Bytes liveOf(std::span<const trace::AllocatorEvent> events, const trace::PhaseSpan& phase)
{
    std::map<std::uint64_t, Bytes> live;
    for (const trace::AllocatorEvent& event : events) {
        if (event.action == trace::Action::Alloc && event.timeNs >= phase.beginNs && event.timeNs < phase.endNs)
            live[event.address] = event.bytes;
        else if (event.action == trace::Action::FreeRequested)
            live.erase(event.address);
    }
    Bytes bytes = 0;
    for (const auto& [address, size] : live)
        bytes += size;
    return bytes;
}

TEST_F(PeakSearchTest, aPeakConsistsOfWhatIsStillHeldByPhase)
{
    const auto events = trace::randomTrace(150'000);
    const trace::MemoryCounters before{.allocated = 5'000, .reserved = 0, .active = 0};
    const std::int64_t middle = events[50'000].timeNs;
    const std::vector<trace::PhaseSpan> phases{
        {"forward", 0, 0, middle}, {"backward", 0, middle, events.back().timeNs + 1}};
    Workspace workspace = create();
    RepeatImport source = repeatOf(addTrial(workspace), 0);
    source.tracks.push_back({"device", events, before});
    const TrackCounter of{workspace.importRepeat(source).repeat, "device"};
    const trace::Peak peak = findPeak(workspace.trace(), of, middle, events[50'900].timeNs);
    const auto memory = findLiveMemory(workspace.trace(), of, peak, phases, {});
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->counters.allocated, peak.bytes);
    EXPECT_EQ(memory->heldBefore, 5'000);
    ASSERT_EQ(memory->shares.size(), 2U);
    EXPECT_EQ(memory->heldBefore + memory->shares[0].bytes + memory->shares[1].bytes, peak.bytes);
    const auto end = std::ranges::find_if(events, [&](const auto& event) { return event.timeNs > peak.timeNs; });
    const std::span upToThePeak(events.begin(), end);
    EXPECT_EQ(memory->shares[0].bytes, liveOf(upToThePeak, phases[0]));
    EXPECT_EQ(memory->shares[1].bytes, liveOf(upToThePeak, phases[1]));
}

TEST_F(PeakSearchTest, statisticsOfARangeAreThoseOfItsEvents)
{
    const auto events = trace::randomTrace(150'000);
    const trace::MemoryCounters before{.allocated = 70'000'000, .reserved = 0, .active = 0};
    const trace::MemoryTimeline expected(events, before);
    Workspace workspace = create();
    RepeatImport source = repeatOf(addTrial(workspace), 0);
    source.tracks.push_back({"device", events, before});
    const TrackCounter of{workspace.importRepeat(source).repeat, "device"};
    for (const auto& [first, last] : {std::pair{10U, 12U}, {100U, 140'000U}, {0U, 149'999U}}) {
        const std::int64_t from = events[first].timeNs - 1;
        const std::int64_t to = events[last].timeNs;
        trace::MemoryCounters counters = before;
        Bytes least = expected.at(from).allocated;
        double sum = 0;
        std::int64_t at = from;
        for (const trace::AllocatorEvent& event : events) {
            if (event.timeNs >= to)
                break;
            if (event.timeNs >= from) {
                sum += static_cast<double>(counters.allocated) * static_cast<double>(event.timeNs - at);
                at = event.timeNs;
            }
            counters.apply(event);
            if (event.timeNs >= from)
                least = std::min(least, counters.allocated);
        }
        sum += static_cast<double>(counters.allocated) * static_cast<double>(to - at);
        const auto found = rangeStatistics(workspace.trace(), of, from, to, {});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->max, expected.peak(trace::Counter::Allocated, from, to).bytes);
        EXPECT_EQ(found->min, least);
        EXPECT_NEAR(found->mean, sum / static_cast<double>(to - from), 1e-9 * sum / static_cast<double>(to - from));
    }
}

TEST_F(PeakSearchTest, peaksOfPhasesAreThoseOfTheEventsInThem)
{
    const auto events = trace::randomTrace(150'000);
    const trace::MemoryCounters before{.allocated = 70'000'000, .reserved = 0, .active = 0};
    const trace::MemoryTimeline expected(events, before);
    Workspace workspace = create();
    RepeatImport source = repeatOf(addTrial(workspace), 0);
    source.tracks.push_back({"device", events, before});
    const TrackCounter of{workspace.importRepeat(source).repeat, "device"};
    std::mt19937_64 random(9);
    std::vector<trace::PhaseSpan> phases{
        {"early", 0, 0, 10}, {"late", 0, expected.lastNs() + 5, expected.lastNs() + 9}};
    for (int i = 0; i < 200; ++i) {
        const auto begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(expected.lastNs()));
        phases.push_back({"phase", i, begin, begin + 1 + static_cast<std::int64_t>(random() % 50'000'000)});
    }
    const auto peaks = findPhasePeaks(workspace.trace(), of, phases, {});
    ASSERT_TRUE(peaks);
    for (std::size_t i = 0; i < phases.size(); ++i)
        EXPECT_EQ((*peaks)[i], expected.peak(trace::Counter::Allocated, phases[i].beginNs, phases[i].endNs).bytes) << i;
}

TEST_F(PeakSearchTest, aStopEndsTheSearchForContents)
{
    Workspace workspace = create();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(findLiveMemory(workspace.trace(), {1, "device"}, {}, {}, stop.get_token()));
}

} // namespace
} // namespace headroom::store
