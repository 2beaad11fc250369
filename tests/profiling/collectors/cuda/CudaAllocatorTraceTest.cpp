// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include "core/memory/MemoryScopes.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

using config::MemoryCategory;
using trace::Action;
using Entry = CudaAllocatorTrace::Entry;
using Segment = c10::CachingDeviceAllocator::SegmentInfo;

class CudaAllocatorTraceTest : public testing::Test {
protected:
    static constexpr int kDevice = 1;

    static Entry entry(Entry::Action action, std::size_t address, std::size_t bytes, void* stream = nullptr,
        c10::DeviceIndex device = kDevice)
    {
        return {action, device, address, bytes, stream, c10::MempoolId_t{0, 0}, c10::getApproximateTime()};
    }
    void begin(CudaAllocatorTrace& trace, const std::vector<Segment>& alive = {})
    {
        trace.begin([this](const LabelledEvent& event) { m_events.push_back(event); }, alive);
    }
    std::vector<Action> actions() const
    {
        std::vector<Action> list;
        for (const LabelledEvent& event : m_events)
            list.push_back(event.action);
        return list;
    }

    CudaAllocatorTrace m_trace{kDevice, std::chrono::steady_clock::now(), 64};
    std::vector<LabelledEvent> m_events;
};

TEST_F(CudaAllocatorTraceTest, everyActionIsToldWithWhatWasAskedForAndTheBlocksSize)
{
    begin(m_trace);
    for (const Entry::Action action : {Entry::SEGMENT_ALLOC, Entry::ALLOC, Entry::FREE_REQUESTED, Entry::FREE_COMPLETED,
             Entry::SEGMENT_FREE, Entry::SEGMENT_MAP, Entry::SEGMENT_UNMAP})
        m_trace.add(entry(action, 4096, 700));
    m_trace.end();
    EXPECT_THAT(actions(),
        testing::ElementsAre(Action::SegmentAlloc, Action::Alloc, Action::FreeRequested, Action::FreeCompleted,
            Action::SegmentFree, Action::SegmentMap, Action::SegmentUnmap));
    for (const LabelledEvent& event : m_events) {
        EXPECT_EQ(event.address, 4096U);
        EXPECT_EQ(event.requestedBytes, 700);
        EXPECT_EQ(event.bytes, 1024);
        EXPECT_GE(event.timeNs, 0);
    }
}

TEST_F(CudaAllocatorTraceTest, outOfMemoryKeepsTheRequestAndTheFreeBytes)
{
    begin(m_trace);
    m_trace.add(entry(Entry::OOM, 123'456, 700));
    m_trace.end();
    ASSERT_EQ(m_events.size(), 1U);
    EXPECT_EQ(m_events[0].action, Action::OutOfMemory);
    EXPECT_EQ(m_events[0].address, 123'456U);
    EXPECT_EQ(m_events[0].bytes, 700);
}

TEST_F(CudaAllocatorTraceTest, snapshotsAndOtherDevicesAreNothing)
{
    begin(m_trace);
    m_trace.add(entry(Entry::SNAPSHOT, 0, 0));
    m_trace.add(entry(Entry::ALLOC, 512, 512, nullptr, kDevice + 1));
    m_trace.end();
    EXPECT_TRUE(m_events.empty());
}

TEST_F(CudaAllocatorTraceTest, onlyWhatHappensBetweenBeginAndEndIsTold)
{
    m_trace.add(entry(Entry::ALLOC, 512, 512));
    begin(m_trace);
    m_trace.add(entry(Entry::ALLOC, 1024, 512));
    m_trace.end();
    m_trace.add(entry(Entry::ALLOC, 1536, 512));
    m_trace.handOn();
    ASSERT_EQ(m_events.size(), 1U);
    EXPECT_EQ(m_events[0].address, 1024U);
}

TEST_F(CudaAllocatorTraceTest, streamsAreNumberedInTheOrderOfTheirAppearance)
{
    int first = 0, second = 0;
    begin(m_trace);
    for (void* stream : {static_cast<void*>(&second), static_cast<void*>(nullptr), static_cast<void*>(&first),
             static_cast<void*>(&second)})
        m_trace.add(entry(Entry::ALLOC, 512, 512, stream));
    m_trace.end();
    std::vector<std::int32_t> streams;
    for (const LabelledEvent& event : m_events)
        streams.push_back(event.stream);
    EXPECT_THAT(streams, testing::ElementsAre(1, 0, 2, 1));
}

TEST_F(CudaAllocatorTraceTest, whatLivesIsToldFirst)
{
    Segment segment;
    segment.device = kDevice;
    segment.address = 0x10000;
    segment.total_size = 4096;
    segment.blocks.resize(3);
    segment.blocks[0].size = 1024;
    segment.blocks[1].size = 2048;
    segment.blocks[1].requested_size = 1600;
    segment.blocks[1].allocated = true;
    segment.blocks[2].size = 1024;
    Segment other = segment;
    other.device = 0;
    begin(m_trace, {other, segment});
    ASSERT_THAT(actions(), testing::ElementsAre(Action::SegmentAlloc, Action::Alloc));
    EXPECT_EQ(m_events[0].bytes, 4096);
    EXPECT_EQ(m_events[1].address, 0x10000U + 1024U);
    EXPECT_EQ(m_events[1].bytes, 2048);
    EXPECT_EQ(m_events[1].requestedBytes, 1600);
    m_trace.end();
}

TEST_F(CudaAllocatorTraceTest, blocksKeepTheirOwnersUntilTheyAreGivenBack)
{
    const tensor::MemoryAttribution attribution;
    begin(m_trace);
    {
        const tensor::MemoryScope scope(MemoryCategory::Weights);
        m_trace.add(entry(Entry::ALLOC, 512, 512));
    }
    m_trace.relabel(512, {{MemoryCategory::Ema}});
    m_trace.relabel(99'999, {{MemoryCategory::Ema}}); // no such block
    m_trace.add(entry(Entry::FREE_REQUESTED, 512, 512));
    m_trace.end();
    ASSERT_THAT(actions(), testing::ElementsAre(Action::Alloc, Action::Relabelled, Action::FreeRequested));
    EXPECT_EQ(m_events[0].label.category, MemoryCategory::Weights);
    EXPECT_EQ(m_events[1].previousLabel.category, MemoryCategory::Weights);
    EXPECT_EQ(m_events[1].label.category, MemoryCategory::Ema);
    EXPECT_EQ(m_events[1].bytes, 512);
    EXPECT_EQ(m_events[2].label.category, MemoryCategory::Ema);
}

TEST_F(CudaAllocatorTraceTest, eventsThatDoNotFitAreCounted)
{
    begin(m_trace);
    for (std::size_t index = 0; index < 70; ++index)
        m_trace.add(entry(Entry::ALLOC, 512 * index, 512));
    m_trace.handOn();
    EXPECT_EQ(m_events.size(), 64U);
    EXPECT_EQ(m_trace.lost(), 6);
    begin(m_trace);
    EXPECT_EQ(m_trace.lost(), 0);
    m_trace.end();
}

} // namespace
} // namespace headroom::collectors
