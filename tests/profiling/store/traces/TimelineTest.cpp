// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/pyramids/MemoryTimeline.h"

#include <algorithm>

namespace headroom::store {
namespace {

class TimelineTest : public StoreTest {
protected:
    std::int64_t import(std::size_t events, const trace::MemoryCounters& before)
    {
        m_events = trace::randomTrace(events);
        m_expected = trace::MemoryTimeline(m_events, before);
        RepeatImport source = repeatOf(addTrial(m_workspace), 0);
        source.tracks.push_back({"device", m_events, before});
        return m_workspace.importRepeat(source).repeat;
    }

    void expectSameCurves(std::int64_t repeat)
    {
        std::mt19937_64 random(3);
        const std::int64_t endNs = m_expected.lastNs() + 1'000;
        for (int round = 0; round < 150; ++round) {
            const std::int64_t length = 1 + (endNs >> (random() % 30));
            const std::int64_t from = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(endNs)) - 500;
            const std::size_t width = 2 + random() % 300;
            const trace::Counter counter = trace::kCounters[random() % 3];
            EXPECT_EQ(m_workspace.timeline(repeat, "device", counter, from, from + length, width),
                m_expected.query(counter, from, from + length, width))
                << from << ' ' << length << ' ' << width;
        }
    }

    Workspace m_workspace = create();
    std::vector<trace::AllocatorEvent> m_events;
    trace::MemoryTimeline m_expected;
};

TEST_F(TimelineTest, storedPyramidsShowWhatTheEventsSay)
{
    expectSameCurves(import(200'000, {.allocated = 1, .reserved = 2, .active = 3}));
}

TEST_F(TimelineTest, shortTracksShowWhatTheEventsSay)
{
    const std::int64_t repeat = import(900, {.allocated = 1, .reserved = 2, .active = 3});
    SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM pyramids").getInt64(), 0);
    expectSameCurves(repeat);
}

TEST_F(TimelineTest, thePeakIsExactAtEveryWidth)
{
    const std::int64_t repeat = import(150'000, {});
    for (const std::size_t width : {2U, 10U, 500U, 4'000U}) {
        const auto buckets =
            m_workspace.timeline(repeat, "device", trace::Counter::Allocated, 0, m_expected.lastNs() + 1, width);
        EXPECT_LE(buckets.size(), width);
        EXPECT_EQ(std::ranges::max_element(buckets, {}, &trace::Bucket::max)->max,
            m_expected.peak(trace::Counter::Allocated).bytes);
    }
}

TEST_F(TimelineTest, besideTheTrackTheCounterKeepsItsValue)
{
    const std::int64_t repeat = import(40'000, {.allocated = 77, .reserved = 0, .active = 0});
    const std::int64_t endNs = m_expected.lastNs();
    for (const std::int64_t length : {std::int64_t{4}, endNs}) {
        const auto ahead = m_workspace.timeline(repeat, "device", trace::Counter::Allocated, -2 * length, -length, 2);
        EXPECT_EQ(ahead.front().max, 77);
        const auto behind =
            m_workspace.timeline(repeat, "device", trace::Counter::Allocated, 4 * endNs, 4 * endNs + length, 2);
        EXPECT_EQ(behind.back().min, m_expected.at(endNs).allocated);
    }
    EXPECT_EQ(m_workspace.timeline(repeat, "host", trace::Counter::Allocated, 0, 100, 2).front().max, 0);
}

// The price of a query is bounded by its width: what it reads does not grow with the track.
TEST_F(TimelineTest, aQueryReadsFewNodesOfALongTrack)
{
    const std::int64_t repeat = import(1'000'000, {});
    SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
    const trace::BinRange range = trace::BinRange::covering(0, m_expected.lastNs(), 1'000);
    const auto nodes =
        database
            .execAndGet("SELECT sum(count) FROM pyramids WHERE repeat = " + std::to_string(repeat)
                + " AND counter = 'allocated' AND level = (SELECT max(level) FROM pyramids WHERE level <= "
                + std::to_string(range.shift) + ")")
            .getInt64();
    EXPECT_GT(nodes, 0);
    EXPECT_LE(nodes, 4 * 1'000);
}

TEST_F(TimelineTest, eventsOfAWindowAreThoseInIt)
{
    const std::int64_t repeat = import(150'000, {});
    const std::int64_t from = m_events[70'000].timeNs;
    const std::int64_t to = m_events[70'500].timeNs;
    std::vector<trace::AllocatorEvent> expected;
    std::ranges::copy_if(m_events, std::back_inserter(expected),
        [&](const trace::AllocatorEvent& event) { return event.timeNs >= from && event.timeNs < to; });
    EXPECT_EQ(m_workspace.trace().events(repeat, "device", from, to), expected);
}

TEST_F(TimelineTest, blocksAreVisitedInOrder)
{
    const std::int64_t repeat = import(150'000, {});
    std::vector<trace::AllocatorEvent> visited;
    m_workspace.trace().eachBlock(
        repeat, "device", [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            EXPECT_EQ(header.count, events.size());
            visited.insert(visited.end(), events.begin(), events.end());
        });
    EXPECT_EQ(visited, m_events);
}

TEST_F(TimelineTest, aDamagedBlockInTheWorkspaceIsAnErrorThatNamesIt)
{
    const std::int64_t repeat = import(100, {});
    SQLite::Database(workspacePath().string(), SQLite::OPEN_READWRITE).exec("UPDATE event_blocks SET data = x'00'");
    EXPECT_EQ(refusal<FileError>([&]() { m_workspace.trace().events(repeat, "device", 0, 1'000'000'000); }),
        workspacePath().string() + ": the trace 'device' of repeat 1 is damaged: not a block of allocator events");
    EXPECT_THROW(m_workspace.timeline(repeat, "device", trace::Counter::Active, 0, 1'000'000'000, 10), FileError);
}

} // namespace
} // namespace headroom::store
