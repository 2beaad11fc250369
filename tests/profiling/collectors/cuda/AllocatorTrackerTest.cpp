// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/AllocatorTracker.h"

#include "core/base/Error.h"
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace headroom::collectors::allocator_tracker_test {
namespace {

using Entry = AllocatorTracker::Entry;

Entry allocation(std::size_t address)
{
    return {Entry::ALLOC, 0, address, 512, nullptr, c10::MempoolId_t{0, 0}, c10::getApproximateTime()};
}

/// An allocator that keeps its trackers, as LibTorch's.
class AllocatorTrackerTest : public testing::Test {
protected:
    void happen(std::size_t address)
    {
        for (const AllocatorTracker::Tracker& given : m_trackers)
            given(allocation(address));
    }
    /// The events that a trace of one allocation hands on.
    int toldTo(CudaAllocatorTrace& trace)
    {
        int told = 0;
        tracker.follow(trace);
        trace.begin([&](const LabelledEvent&) { ++told; }, [] { return CudaSnapshot{}; });
        happen(512);
        tracker.leave(trace);
        trace.end();
        return told;
    }

    std::vector<AllocatorTracker::Tracker> m_trackers;
    AllocatorTracker tracker{[this](AllocatorTracker::Tracker given) { m_trackers.push_back(std::move(given)); }};
    CudaAllocatorTrace first{0, std::chrono::steady_clock::now(), 64};
    CudaAllocatorTrace second{0, std::chrono::steady_clock::now(), 64};
};

TEST_F(AllocatorTrackerTest, isAttachedByTheFirstTraceAndServesAllOthers)
{
    EXPECT_TRUE(m_trackers.empty());
    EXPECT_EQ(toldTo(first), 1);
    EXPECT_EQ(toldTo(second), 1);
    EXPECT_EQ(toldTo(first), 1);
    EXPECT_EQ(m_trackers.size(), 1U);
}

TEST_F(AllocatorTrackerTest, withoutATraceEntriesGoNowhere)
{
    EXPECT_EQ(toldTo(first), 1);
    happen(1024);
    EXPECT_EQ(toldTo(first), 1) << "what happened in between is no part of the next trace";
}

TEST_F(AllocatorTrackerTest, oneTraceAtATime)
{
    tracker.follow(first);
    EXPECT_THROW(tracker.follow(second), Error);
    tracker.leave(second); // which is not followed
    EXPECT_THROW(tracker.follow(second), Error);
    tracker.leave(first);
    EXPECT_NO_THROW(tracker.follow(second));
}

TEST_F(AllocatorTrackerTest, anAllocatorThatTakesNoTrackerIsAskedAgainForTheNextTrace)
{
    int asked = 0;
    AllocatorTracker refused([&](const AllocatorTracker::Tracker&) {
        ++asked;
        throw std::runtime_error("not supported");
    });
    EXPECT_THROW(refused.follow(first), std::runtime_error);
    EXPECT_THROW(refused.follow(second), std::runtime_error) << "the first trace was not followed";
    EXPECT_EQ(asked, 2);
}

// Traces begin, end and are destroyed while threads allocate. The address sanitizer sees an entry that comes too late.
TEST_F(AllocatorTrackerTest, noEntryReachesATraceThatIsGone)
{
    toldTo(first);
    std::atomic<bool> isOver = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] {
            while (!isOver)
                happen(512);
        });
    std::int64_t told = 0;
    for (int i = 0; i < 100; ++i) {
        auto trace = std::make_unique<CudaAllocatorTrace>(0, std::chrono::steady_clock::now(), 64);
        tracker.follow(*trace);
        trace->begin([&](const LabelledEvent&) { ++told; }, [] { return CudaSnapshot{}; });
        for (; told == 0; std::this_thread::yield())
            trace->handOn();
        tracker.leave(*trace);
        trace->end();
        told = 0;
    }
    isOver = true;
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace
} // namespace headroom::collectors::allocator_tracker_test
