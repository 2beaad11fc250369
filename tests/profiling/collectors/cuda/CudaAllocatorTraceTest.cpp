// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include "core/memory/MemoryScopes.h"

#include <gmock/gmock.h>

#include <limits>
#include <stdexcept>

namespace headroom::collectors {
namespace {

using config::MemoryCategory;
using trace::Action;
using Entry = CudaAllocatorTrace::Entry;
using Segment = c10::CachingDeviceAllocator::SegmentInfo;

constexpr std::size_t kMebibyte = 1 << 20;

CudaSnapshot snapshotWith(const std::vector<Segment>& segments)
{
    CudaSnapshot snapshot{};
    snapshot.segments = segments;
    snapshot.config_metadata.max_split_size = std::numeric_limits<std::size_t>::max();
    return snapshot;
}

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
        begin(trace, [alive] { return snapshotWith(alive); });
    }
    void begin(CudaAllocatorTrace& trace, const CudaAllocatorTrace::TakeSnapshot& takeSnapshot)
    {
        trace.begin([this](const LabelledEvent& event) { m_events.push_back(event); }, takeSnapshot);
    }
    static Segment segmentAt(std::size_t address, std::size_t bytes)
    {
        Segment segment;
        segment.device = kDevice;
        segment.address = address;
        segment.total_size = bytes;
        segment.is_large = true;
        return segment;
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
    m_trace.add(entry(Entry::SEGMENT_ALLOC, 4096, 2 * kMebibyte));
    for (const Entry::Action action : {Entry::ALLOC, Entry::FREE_REQUESTED, Entry::FREE_COMPLETED})
        m_trace.add(entry(action, 4096, 700));
    m_trace.add(entry(Entry::SEGMENT_FREE, 4096, 2 * kMebibyte));
    for (const Entry::Action action : {Entry::SEGMENT_MAP, Entry::SEGMENT_UNMAP})
        m_trace.add(entry(action, 8 * kMebibyte, 2 * kMebibyte));
    m_trace.end();
    EXPECT_THAT(actions(),
        testing::ElementsAre(Action::SegmentAlloc, Action::Alloc, Action::FreeRequested, Action::FreeCompleted,
            Action::SegmentFree, Action::SegmentMap, Action::SegmentUnmap));
    for (const LabelledEvent& event : m_events) {
        const bool isBlock = event.requestedBytes == 700;
        EXPECT_EQ(event.bytes, isBlock ? 1024 : 2 * kMiB);
        EXPECT_GE(event.timeNs, 0);
    }
    EXPECT_EQ(m_events[1].address, 4096U);
    EXPECT_EQ(m_trace.misfits(), 0);
    EXPECT_EQ(m_trace.allocatedBytes(), 0);
}

TEST_F(CudaAllocatorTraceTest, aBlockIsAsLargeAsTheFreeBlockThatWasNotWorthSplitting)
{
    begin(m_trace);
    m_trace.add(entry(Entry::SEGMENT_ALLOC, kMebibyte, 12 * kMebibyte));
    m_trace.add(entry(Entry::ALLOC, kMebibyte, 12 * kMebibyte - 1000));
    m_trace.add(entry(Entry::FREE_REQUESTED, kMebibyte, 12 * kMebibyte - 1000));
    m_trace.end();
    ASSERT_EQ(m_events.size(), 3U);
    for (const std::size_t index : {1U, 2U}) {
        EXPECT_EQ(m_events[index].bytes, 12 * kMiB);
        EXPECT_EQ(m_events[index].requestedBytes, 12 * kMiB - 1000);
    }
}

TEST_F(CudaAllocatorTraceTest, whatLivesDecidesHowLargeTheNextBlocksAre)
{
    Segment segment = segmentAt(kMebibyte, 20 * kMebibyte);
    segment.blocks.resize(3);
    segment.blocks[0].size = 8 * kMebibyte;
    segment.blocks[0].allocated = segment.blocks[0].active = true;
    segment.blocks[1].size = 4 * kMebibyte;
    segment.blocks[2].size = 8 * kMebibyte;
    segment.blocks[2].allocated = segment.blocks[2].active = true;
    begin(m_trace, {segment});
    m_trace.add(entry(Entry::ALLOC, 9 * kMebibyte, 3 * kMebibyte + 512));
    m_trace.end();
    EXPECT_EQ(m_events.back().bytes, 4 * kMiB);
    EXPECT_EQ(m_trace.allocatedBytes(), 20 * kMiB);
    EXPECT_EQ(m_trace.misfits(), 0);
}

TEST_F(CudaAllocatorTraceTest, stretchesOfExpandableSegmentsAreToldAsMapped)
{
    Segment segment = segmentAt(kMebibyte, 40 * kMebibyte);
    segment.is_expandable = true;
    begin(m_trace, {segment});
    m_trace.add(entry(Entry::SEGMENT_UNMAP, 21 * kMebibyte, 20 * kMebibyte));
    m_trace.end();
    EXPECT_THAT(actions(), testing::ElementsAre(Action::SegmentMap, Action::SegmentUnmap));
}

TEST_F(CudaAllocatorTraceTest, aBlockThatWaitsForAStreamIsAllocatedNoLongerButActive)
{
    Segment segment = segmentAt(kMebibyte, 2 * kMebibyte);
    segment.blocks.resize(1);
    segment.blocks[0].size = 2 * kMebibyte;
    segment.blocks[0].requested_size = 2 * kMebibyte - 1;
    segment.blocks[0].active = true;
    begin(m_trace, {segment});
    m_trace.add(entry(Entry::FREE_COMPLETED, kMebibyte, 2 * kMebibyte - 1));
    m_trace.end();
    EXPECT_THAT(actions(),
        testing::ElementsAre(Action::SegmentAlloc, Action::Alloc, Action::FreeRequested, Action::FreeCompleted));
    EXPECT_EQ(m_events.back().bytes, 2 * kMiB);
}

// The snapshot is of device 0 first, then of device 1, which is ours; each leaves a mark that names device 0.
TEST_F(CudaAllocatorTraceTest, whatHappensWhileTheSnapshotIsTakenIsToldOnce)
{
    Segment segment = segmentAt(kMebibyte, 20 * kMebibyte);
    segment.blocks.resize(1);
    segment.blocks[0].size = 2 * kMebibyte;
    segment.blocks[0].allocated = segment.blocks[0].active = true;
    begin(m_trace, [&] {
        m_trace.add(entry(Entry::SNAPSHOT, 0, 0, nullptr, 0));
        m_trace.add(entry(Entry::ALLOC, kMebibyte, 2 * kMebibyte)); // the snapshot has it
        m_trace.add(entry(Entry::SNAPSHOT, 0, 0, nullptr, 0));
        m_trace.add(entry(Entry::ALLOC, 3 * kMebibyte, 4 * kMebibyte));
        return snapshotWith({segment});
    });
    m_trace.end();
    EXPECT_THAT(actions(), testing::ElementsAre(Action::SegmentAlloc, Action::Alloc, Action::Alloc));
    EXPECT_EQ(m_events.back().address, 3 * kMebibyte);
    EXPECT_EQ(m_trace.allocatedBytes(), 6 * kMiB);
    EXPECT_EQ(m_trace.misfits(), 0);
}

TEST_F(CudaAllocatorTraceTest, aSnapshotThatFailsLeavesNothingForTheNextTrace)
{
    const auto failing = [this]() -> CudaSnapshot {
        m_trace.add(entry(Entry::ALLOC, 512, 512));
        throw std::runtime_error("no snapshot");
    };
    EXPECT_THROW(begin(m_trace, failing), std::runtime_error);
    m_trace.end();
    begin(m_trace);
    m_trace.end();
    EXPECT_TRUE(m_events.empty());
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
