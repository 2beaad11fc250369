// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/AccountedMemory.h"

#include "core/memory/HostMemory.h"
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/ExactAllocator.h"
#include "profiling/simulator/OutOfMemory.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

#include <thread>

namespace headroom::collectors {
namespace {

AccountedMemory exact(Bytes limitBytes = simulator::kUnlimitedBytes)
{
    return AccountedMemory(std::make_unique<simulator::ExactAllocator>(limitBytes));
}

TEST(AccountedMemoryTest, figuresAreThoseOfTheAllocator)
{
    AccountedMemory memory = exact();
    const auto first = memory.allocate(100);
    const auto second = memory.allocate(50);
    memory.release(first);
    EXPECT_EQ(currentFigures(memory.stats(), memory.hostPool()).allocated, 50);
    EXPECT_EQ(peakFigures(memory.stats(), memory.hostPool()).allocated, 150);
    EXPECT_EQ(currentFigures(memory.stats(), memory.hostPool()).reserved, std::nullopt)
        << "only a caching device reserves";
    memory.resetPeaks();
    EXPECT_EQ(peakFigures(memory.stats(), memory.hostPool()).allocated, 50);
    memory.release(second);
    EXPECT_EQ(currentFigures(memory.stats(), memory.hostPool()).allocated, 0);
}

TEST(AccountedMemoryTest, aMirrorGetsTheSameRequestsAndNothingElse)
{
    const auto caching = [] { return std::make_unique<simulator::CachingAllocator>(); };
    AccountedMemory memory(caching(), caching());
    const auto block = memory.allocate(32 * kMiB);
    const auto host = memory.allocateHost(tensor::HostMemory::Pinned, 5 * kMiB);
    EXPECT_EQ(memory.mirroredBytes(), 32 * kMiB);
    memory.release(host);
    memory.release(block);
    EXPECT_EQ(memory.mirroredBytes(), 32 * kMiB);
    memory.emptyCache();
    EXPECT_EQ(memory.mirroredBytes(), 0);
    EXPECT_EQ(memory.mirroredPeakBytes(), 32 * kMiB);
    memory.resetPeaks();
    EXPECT_EQ(memory.mirroredPeakBytes(), 0);
    EXPECT_EQ(exact().mirroredBytes(), std::nullopt);
}

TEST(AccountedMemoryTest, aRequestBeyondTheLimitIsRefused)
{
    AccountedMemory memory = exact(100);
    const auto block = memory.allocate(60);
    const auto error = errorOf<simulator::OutOfMemory>([&] { memory.allocate(50); });
    ASSERT_TRUE(error) << "110 of 100 bytes were granted";
    EXPECT_EQ(error->facts().requestedBytes, 50);
    EXPECT_EQ(error->facts().missingBytes, 10);
    memory.release(block);
}

TEST(AccountedMemoryTest, anObserverFirstHearsOfWhatIsAliveAlready)
{
    AccountedMemory memory = exact();
    const auto early = memory.allocate(100);
    std::vector<trace::AllocatorEvent> events;
    memory.setClock([] { return 20; });
    memory.observe([&](const trace::AllocatorEvent& event) { events.push_back(event); }, std::chrono::nanoseconds(10));
    memory.release(early);
    memory.observe(nullptr, {});
    memory.release(memory.allocate(7));
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0], (trace::AllocatorEvent{10, early, 100, 100, 0, trace::Action::Alloc}));
    EXPECT_EQ(events[1].action, trace::Action::FreeRequested);
    EXPECT_EQ(events[1].timeNs, 20);
    EXPECT_EQ(events[2].action, trace::Action::FreeCompleted);
}

TEST(AccountedMemoryTest, hostMemoryIsCountedApartAndWithoutTheDevicesLimit)
{
    AccountedMemory memory = exact(100);
    std::vector<trace::AllocatorEvent> events;
    memory.observe([&](const trace::AllocatorEvent& event) { events.push_back(event); }, {});
    const auto pinned = memory.allocateHost(tensor::HostMemory::Pinned, 300);
    const auto pageable = memory.allocateHost(tensor::HostMemory::Pageable, 200);
    const auto block = memory.allocate(100);
    events.clear();
    memory.relabel(pinned, {config::MemoryCategory::Weights});
    memory.release(pinned);
    EXPECT_TRUE(events.empty());
    const auto now = currentFigures(memory.stats(), memory.hostPool());
    EXPECT_EQ(now.allocated, 100);
    EXPECT_EQ(now.hostPinned, 0);
    EXPECT_EQ(now.hostPageable, 200);
    EXPECT_EQ(peakFigures(memory.stats(), memory.hostPool()).hostPinned, 512) << "a power of two";
    memory.release(pageable);
    memory.release(block);
    memory.resetPeaks();
    EXPECT_EQ(peakFigures(memory.stats(), memory.hostPool()).hostPageable, 0);
}

TEST(AccountedMemoryTest, threadsMayAllocateSideBySide)
{
    AccountedMemory memory = exact();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 1; k <= 500; ++k)
                memory.release(memory.allocate(k));
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(memory.stats().allocation.aggregate.allocated, 2000);
    EXPECT_EQ(memory.stats().allocatedBytes.aggregate.current, 0);
}

} // namespace
} // namespace headroom::collectors
