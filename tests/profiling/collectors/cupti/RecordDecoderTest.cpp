// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/collectors/cupti/DecoderFixture.h"

namespace headroom::collectors::cupti {
namespace {

using RecordDecoderTest = DecoderFixture;

TEST_F(RecordDecoderTest, joinsRangesWhoseSidesLieInTwoBuffers)
{
    auto side = activityOf<MarkerActivity>(CUPTI_ACTIVITY_KIND_MARKER);
    side.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    side.timestamp = kOrigin + 1;
    side.id = 9;
    side.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    side.objectId.pt = {2, 3};
    side.name = "step";
    side.domain = "headroom";
    m_buffer.add(side);
    EXPECT_TRUE(decoded().markers.empty());
    ActivityBuffer second;
    side.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    side.timestamp = kOrigin + 8;
    side.name = nullptr;
    side.domain = nullptr;
    second.add(side);
    EXPECT_THAT(decoded(second.valid()).markers,
        testing::ElementsAre(trace::MarkerRecord{
            .beginNs = 1, .endNs = 8, .id = 9, .processId = 2, .threadId = 3, .name = "step", .domain = "headroom"}));
}

TEST_F(RecordDecoderTest, spansWithoutTimesAreCountedAndKeptAtZero)
{
    auto copy = spanOf<CopyActivity>(CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.start = copy.end = 0;
    m_buffer.add(copy);
    auto kernel = spanOf<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.end = 0; // flushed by force before it ended
    m_buffer.add(kernel);
    const trace::DeviceRecords records = decoded();
    EXPECT_EQ(records.copies.front().beginNs, 0);
    EXPECT_EQ(records.copies.front().endNs, 0);
    EXPECT_EQ(records.kernels.front().beginNs, 10);
    EXPECT_EQ(records.kernels.front().endNs, 10);
    EXPECT_EQ(counts(), (DecodeCounts{.records = 2, .lostTimes = 1, .unfinished = 1}));
}

TEST_F(RecordDecoderTest, recordsOfOtherKindsAreCountedAndSteppedOver)
{
    m_buffer.add(activityOf<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION));
    m_buffer.add(allocation(1, 2));
    m_buffer.add(activityOf<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION));
    EXPECT_EQ(decoded().memory.size(), 1U);
    EXPECT_EQ(counts(), (DecodeCounts{.records = 3, .unknownKinds = {{39, 2}}}));
}

TEST_F(RecordDecoderTest, whatFollowsAKindThatTheLibraryDoesNotKnowIsNotGuessed)
{
    m_buffer.add(allocation(1, 2));
    m_buffer.add(activityOf<MemoryActivity>(static_cast<CUpti_ActivityKind>(999)));
    m_buffer.add(allocation(3, 4));
    EXPECT_EQ(decoded().memory.size(), 1U);
    EXPECT_EQ(
        counts(), (DecodeCounts{.records = 1, .unreadableBytes = static_cast<Bytes>(2 * sizeof(MemoryActivity))}));
}

TEST_F(RecordDecoderTest, aRecordThatIsCutOffIsNotRead)
{
    m_buffer.add(allocation(1, 2));
    m_buffer.add(allocation(3, 4));
    for (const std::size_t missing : {1, 8, 64, 127}) {
        const Bytes before = counts().unreadableBytes;
        EXPECT_EQ(decoded(m_buffer.cutTo(2 * sizeof(MemoryActivity) - missing)).memory.size(), 1U) << missing;
        EXPECT_EQ(counts().unreadableBytes - before, static_cast<Bytes>(sizeof(MemoryActivity) - missing));
    }
    EXPECT_TRUE(decoded({}).memory.empty());
}

// The sizes that CUPTI of CUDA 12.0 has: MEMORY2 records without the library that asked.
TEST_F(RecordDecoderTest, recordsOfAnOlderLibraryAreNotReadAsNewerOnes)
{
    RecordDecoder old(StampAxis(kOrigin), RecordSizes({{CUPTI_ACTIVITY_KIND_MEMORY2, sizeof(CUpti_ActivityMemory3)}}));
    m_buffer.add(allocation(1, 2));
    trace::DeviceRecords records;
    old.decode(m_buffer.valid(), records);
    EXPECT_TRUE(records.memory.empty());
    EXPECT_EQ(old.counts().smallRecords, 1);
}

TEST_F(RecordDecoderTest, correlationIdsThatWrapStayAsTheyAre)
{
    for (const std::uint32_t id : {kLast - 1, kLast, 0U, 1U}) {
        auto memory = allocation(1, 2);
        memory.correlationId = id;
        m_buffer.add(memory);
    }
    std::vector<std::uint32_t> ids;
    for (const trace::DeviceMemoryRecord& record : decoded().memory)
        ids.push_back(record.correlationId);
    EXPECT_THAT(ids, testing::ElementsAre(kLast - 1, kLast, 0U, 1U));
}

TEST(RecordSizesTest, theLibraryWritesAtLeastWhatTheHeadersSay)
{
    const RecordSizes sizes = RecordSizes::ofLibrary();
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MEMORY2), sizeof(MemoryActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MEMORY_POOL), sizeof(PoolActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MEMCPY), sizeof(CopyActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MEMCPY2), sizeof(PeerCopyActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MEMSET), sizeof(MemsetActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), sizeof(KernelActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_RUNTIME), sizeof(ApiActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_OVERHEAD), sizeof(OverheadActivity));
    EXPECT_GE(sizes.of(CUPTI_ACTIVITY_KIND_MARKER), sizeof(MarkerActivity));
    EXPECT_EQ(sizes.of(0), 0U);
    EXPECT_EQ(sizes.of(999), 0U);
}

} // namespace
} // namespace headroom::collectors::cupti
