// SPDX-License-Identifier: Apache-2.0
//
// The states of a stored trace's segments against what the simulated allocator itself says it holds.
#include "profiling/store/traces/SegmentHistory.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"
#include "profiling/store/traces/SpoolReader.h"
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/SegmentFollower.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <stop_token>

namespace headroom::recordings::segment_history_test {
namespace {

using simulator::AllocatorSnapshot;
using simulator::BlockState;
using trace::AllocatorEvent;

/// A random program on a simulated GPU, with what the allocator held after some of its calls.
struct Program {
    std::vector<AllocatorEvent> events;
    std::map<std::uint64_t, AllocatorSnapshot> snapshots; ///< by the number of events until then
};

class ProgramRun {
public:
    ProgramRun(std::uint32_t seed, const std::string& settings)
        : m_random(seed)
        , m_allocator({.limitBytes = 2 * kGiB}, simulator::parseAllocatorSettings(settings))
    {
        m_allocator.setClock([this] { return m_nowNs; });
        m_allocator.setObserver([this](const AllocatorEvent& event) { m_program.events.push_back(event); });
    }

    Program run(int calls)
    {
        for (int i = 0; i < calls; ++i) {
            m_nowNs += m_random() % 3; // often the same time
            call();
            if (m_random() % 40 == 0)
                m_program.snapshots[m_program.events.size()] = m_allocator.snapshot();
        }
        return std::move(m_program);
    }

private:
    void call()
    {
        const auto choice = m_random() % 100;
        if (choice < 55) {
            allocate();
        } else if (choice < 92 && !m_live.empty()) {
            std::swap(m_live[m_random() % m_live.size()], m_live.back());
            m_allocator.free(m_live.back());
            m_live.pop_back();
        } else if (choice < 96 && !m_live.empty()) {
            m_allocator.recordStream(
                m_live[m_random() % m_live.size()], static_cast<simulator::Stream>(1 + m_random() % 2));
        } else if (choice == 96) {
            m_allocator.synchronizeAll();
        } else if (choice == 97) {
            m_allocator.emptyCache();
        }
    }

    void allocate()
    {
        const Bytes bytes = 1 + static_cast<Bytes>(m_random() % (Bytes{1} << (8 + m_random() % 20)));
        try {
            m_live.push_back(m_allocator.allocate(bytes, static_cast<simulator::Stream>(m_random() % 3)));
        } catch (const simulator::OutOfMemory&) {
            m_live.clear(); // the program forgets it all: an error on the way
        }
    }

    std::mt19937 m_random;
    simulator::CachingAllocator m_allocator;
    std::int64_t m_nowNs = 5;
    std::vector<simulator::Address> m_live;
    Program m_program;
};

class SegmentHistoryTest : public testing::TestWithParam<std::string> {
protected:
    /// States are stored now and then with `eventsPerStretch`, else the trace is read once.
    store::SegmentHistory stored(const Program& program, std::size_t eventsPerBlock, std::size_t mostBytes,
        std::size_t eventsPerStretch = 1'000'000)
    {
        const auto file = m_folder.file("trace.spool");
        store::SpoolWriter writer(
            file, {.eventsPerBlock = eventsPerBlock, .eventsPerStretch = eventsPerStretch, .maxPages = {}});
        writer.append("device", program.events);
        writer.finish();
        m_spool.emplace(file);
        return store::SegmentHistory::read(m_spool->trace(), store::kSpoolRepeat, "device", {}, {}, mostBytes).value();
    }

    TemporaryFolder m_folder;
    std::optional<store::SpoolReader> m_spool;
};

void expectSame(const trace::SegmentState& state, const AllocatorSnapshot& snapshot)
{
    ASSERT_EQ(state.segments.size(), snapshot.segments.size());
    for (std::size_t i = 0; i < state.segments.size(); ++i) {
        const trace::HeldSegment& segment = state.segments[i];
        const simulator::SegmentSnapshot& expected = snapshot.segments[i];
        EXPECT_EQ(segment.address, expected.address);
        EXPECT_EQ(segment.bytes, expected.totalBytes);
        EXPECT_EQ(segment.isExpandable, expected.kind == simulator::SegmentKind::Expandable);
        const auto blocks = state.blocksIn(segment);
        const trace::SegmentUse use = state.useOf(segment);
        EXPECT_EQ(use.allocatedBytes, expected.allocatedBytes);
        EXPECT_EQ(use.allocatedBytes + use.pendingBytes, expected.activeBytes);
        std::size_t block = 0;
        for (const simulator::BlockSnapshot& wanted : expected.blocks) {
            if (wanted.state == BlockState::Inactive)
                continue;
            ASSERT_LT(block, blocks.size());
            EXPECT_EQ(blocks[block].address, wanted.address);
            EXPECT_EQ(blocks[block].bytes, wanted.bytes);
            EXPECT_EQ(blocks[block].isPending, wanted.state == BlockState::ActivePendingFree);
            ++block;
        }
        EXPECT_EQ(block, blocks.size());
        Bytes inactive = 0;
        for (const simulator::BlockSnapshot& free : expected.blocks)
            inactive += free.state == BlockState::Inactive ? free.bytes : 0;
        EXPECT_EQ(use.freeBytes, inactive);
    }
}

TEST_P(SegmentHistoryTest, everyStateIsTheAllocatorsOwn)
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Program program = ProgramRun(seed, GetParam()).run(3'000);
        ASSERT_GT(program.snapshots.size(), 20u);
        struct Way {
            std::size_t mostBytes;
            std::size_t eventsPerStretch;
        };
        for (const Way way : {Way{1 << 30, 1'000'000}, Way{20'000, 1'000'000}, Way{0, 100}}) {
            const store::SegmentHistory history = stored(program, 37, way.mostBytes, way.eventsPerStretch);
            ASSERT_EQ(history.events(), program.events.size());
            EXPECT_LE(history.keptBytes(), way.mostBytes);
            EXPECT_EQ(history.keptBytes() == 0, way.eventsPerStretch == 100);
            for (const auto& [events, snapshot] : program.snapshots) {
                SCOPED_TRACE("seed " + std::to_string(seed) + ", after " + std::to_string(events) + " events");
                const trace::SegmentState state = history.at(events);
                EXPECT_EQ(state.events, events);
                EXPECT_TRUE(state.isComplete());
                expectSame(state, snapshot);
            }
            m_spool.reset();
            std::filesystem::remove(m_folder.file("trace.spool"));
        }
    }
}

TEST_P(SegmentHistoryTest, theSumsAreThoseOfTheFragmentation)
{
    const Program program = ProgramRun(11, GetParam()).run(4'000);
    const store::SegmentHistory history = stored(program, 100, 1 << 20);
    trace::SegmentFollower live(trace::SegmentState{});
    for (std::uint64_t events = 1; events <= program.events.size(); ++events) {
        live.apply(program.events[events - 1]);
        if (events % 61 != 0)
            continue;
        const trace::SegmentSums sums = trace::sumsOf(history.at(events));
        const trace::Fragmentation expected = trace::fragmentationOf(live.state());
        EXPECT_EQ(sums.reservedBytes, expected.reservedBytes);
        EXPECT_EQ(sums.allocatedBytes, expected.allocatedBytes);
        EXPECT_EQ(sums.pendingBytes, expected.pendingBytes);
        EXPECT_EQ(sums.stuckBytes, expected.splitBytes);
        EXPECT_EQ(sums.releasableBytes, expected.releasableBytes);
        EXPECT_EQ(sums.largestGapBytes, expected.largestHoleBytes);
    }
}

TEST_P(SegmentHistoryTest, aTimeIsAfterAllEventsOfIt)
{
    const Program program = ProgramRun(3, GetParam()).run(2'000);
    const store::SegmentHistory history = stored(program, 50, 1 << 20);
    EXPECT_EQ(history.eventsUntil(4), 0u);
    for (std::size_t place = 0; place < program.events.size(); place += 17) {
        const std::int64_t timeNs = program.events[place].timeNs;
        std::uint64_t until = place;
        while (until < program.events.size() && program.events[until].timeNs <= timeNs)
            ++until;
        EXPECT_EQ(history.eventsUntil(timeNs), until);
        EXPECT_EQ(history.lastOf(place + 1), program.events[place]);
    }
    EXPECT_EQ(history.eventsUntil(program.events.back().timeNs + 1'000), program.events.size());
    EXPECT_FALSE(history.lastOf(0));
}

TEST_P(SegmentHistoryTest, theReservedPeakIsWhereMostOfItIsAllocated)
{
    const Program program = ProgramRun(4, GetParam()).run(2'000);
    const store::SegmentHistory inMemory = stored(program, 64, 1 << 20);
    trace::MemoryCounters counters;
    std::pair<Bytes, Bytes> most{-1, 0};
    std::uint64_t first = 0;
    std::vector<std::uint64_t> failures;
    for (std::size_t i = 0; i < program.events.size(); ++i) {
        counters.apply(program.events[i]);
        if (std::pair(counters.reserved, counters.allocated) > most) {
            most = {counters.reserved, counters.allocated};
            first = i + 1;
        }
        if (program.events[i].action == trace::Action::OutOfMemory)
            failures.push_back(i + 1);
    }
    EXPECT_EQ(inMemory.eventsAtReservedPeak(), first);
    EXPECT_EQ(inMemory.at(first).counters.reserved, most.first);
    EXPECT_EQ(inMemory.failures(), failures);
    m_spool.reset();
    std::filesystem::remove(m_folder.file("trace.spool"));
    const store::SegmentHistory history = stored(program, 64, 0, 200);
    EXPECT_EQ(history.eventsAtReservedPeak(), first);
    EXPECT_EQ(history.at(first).counters.reserved, most.first);
    EXPECT_EQ(history.failures(), failures);
}

TEST_P(SegmentHistoryTest, storedStatesAreReadWithoutTheTrace)
{
    const Program program = ProgramRun(5, GetParam()).run(4'000);
    stored(program, 64, 0, 200);
    double told = -1;
    ASSERT_TRUE(store::SegmentHistory::read(
        m_spool->trace(), store::kSpoolRepeat, "device", {}, [&](double share) { told = share; }));
    EXPECT_EQ(told, -1);
}

TEST_P(SegmentHistoryTest, readingCanBeStopped)
{
    const Program program = ProgramRun(4, GetParam()).run(500);
    stored(program, 64, 1 << 20);
    std::stop_source stop;
    const auto ask = [&](double) { stop.request_stop(); };
    EXPECT_FALSE(store::SegmentHistory::read(m_spool->trace(), store::kSpoolRepeat, "device", stop.get_token(), ask));
}

INSTANTIATE_TEST_SUITE_P(
    Settings, SegmentHistoryTest, testing::Values("", "expandable_segments:True", "max_split_size_mb:32"));

} // namespace
} // namespace headroom::recordings::segment_history_test
