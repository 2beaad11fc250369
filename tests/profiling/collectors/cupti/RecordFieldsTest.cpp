// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/collectors/cupti/DecoderFixture.h"

#include <cstdlib>

namespace headroom::collectors::cupti {
namespace {

using RecordFieldsTest = DecoderFixture;

TEST_F(RecordFieldsTest, readsMemory)
{
    auto memory = allocation(0x7000'0000'0000, 3'000'000'000);
    memory.correlationId = 7;
    memory.PC = 0x1234;
    memory.processId = 11;
    memory.deviceId = 1;
    memory.contextId = 2;
    memory.streamId = 3;
    memory.name = "weights";
    memory.source = "/lib/libcudnn.so";
    memory.isAsync = 1;
    memory.memoryPoolConfig.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
    memory.memoryPoolConfig.address = 0x70;
    memory.memoryPoolConfig.releaseThreshold = 64;
    memory.memoryPoolConfig.pool.size = 4096;
    memory.memoryPoolConfig.utilizedSize = 512;
    m_buffer.add(memory);
    const trace::DeviceMemoryRecord expected{.timeNs = 5,
        .address = 0x7000'0000'0000,
        .bytes = 3'000'000'000,
        .operation = 1,
        .kind = 3,
        .correlationId = 7,
        .processId = 11,
        .deviceId = 1,
        .contextId = 2,
        .streamId = 3,
        .programCounter = 0x1234,
        .isAsync = true,
        .poolType = 1,
        .poolAddress = 0x70,
        .poolReleaseThreshold = 64,
        .poolBytes = 4096,
        .poolUsedBytes = 512,
        .name = "weights",
        .source = "/lib/libcudnn.so"};
    EXPECT_THAT(decoded().memory, testing::ElementsAre(expected));
    EXPECT_EQ(counts(), DecodeCounts{.records = 1});
}

TEST_F(RecordFieldsTest, readsPools)
{
    auto pool = activityOf<CUpti_ActivityMemoryPool3>(CUPTI_ACTIVITY_KIND_MEMORY_POOL);
    pool.memoryPoolOperationType = CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED;
    pool.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
    pool.correlationId = 1;
    pool.processId = 2;
    pool.deviceId = 3;
    pool.minBytesToKeep = 4;
    pool.address = 5;
    pool.size = 6;
    pool.releaseThreshold = 7;
    pool.timestamp = kOrigin + 8;
    pool.utilizedSize = 9;
    pool.isManagedPool = 1;
    m_buffer.add(pool);
    EXPECT_THAT(decoded().pools,
        testing::ElementsAre(trace::MemoryPoolRecord{.timeNs = 8,
            .operation = 3,
            .poolType = 1,
            .correlationId = 1,
            .processId = 2,
            .deviceId = 3,
            .address = 5,
            .minBytesToKeep = 4,
            .bytes = 6,
            .usedBytes = 9,
            .releaseThreshold = 7}));
}

TEST_F(RecordFieldsTest, readsCopies)
{
    auto copy = spanOf<CopyActivity>(CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    copy.bytes = 5'000'000'000;
    copy.graphNodeId = 9;
    copy.copyCount = 2;
    m_buffer.add(copy);
    auto peer = spanOf<PeerCopyActivity>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    peer.srcDeviceId = 4;
    peer.dstDeviceId = 5;
    m_buffer.add(peer);
    trace::CopyRecord expected{.beginNs = 10,
        .endNs = 20,
        .bytes = 5'000'000'000,
        .copyKind = 1,
        .sourceKind = 2,
        .destinationKind = 3,
        .deviceId = 1,
        .contextId = 2,
        .streamId = 3,
        .correlationId = kLast,
        .graphNodeId = 9,
        .copyCount = 2,
        .isAsync = true};
    const auto copies = decoded().copies;
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0], expected);
    expected = {.beginNs = 10,
        .endNs = 20,
        .copyKind = 10,
        .deviceId = 1,
        .contextId = 2,
        .streamId = 3,
        .correlationId = kLast,
        .sourceDeviceId = 4,
        .destinationDeviceId = 5};
    EXPECT_EQ(copies[1], expected);
}

TEST_F(RecordFieldsTest, readsMemsets)
{
    auto memset = spanOf<MemsetActivity>(CUPTI_ACTIVITY_KIND_MEMSET);
    memset.value = 0xAB;
    memset.bytes = 64;
    memset.flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
    memset.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    memset.graphNodeId = 6;
    m_buffer.add(memset);
    EXPECT_THAT(decoded().memsets,
        testing::ElementsAre(trace::MemsetRecord{.beginNs = 10,
            .endNs = 20,
            .bytes = 64,
            .value = 0xAB,
            .memoryKind = 3,
            .deviceId = 1,
            .contextId = 2,
            .streamId = 3,
            .correlationId = kLast,
            .graphNodeId = 6,
            .isAsync = true}));
}

TEST_F(RecordFieldsTest, readsKernels)
{
    auto kernel = spanOf<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.registersPerThread = 255;
    kernel.gridX = 1000;
    kernel.gridY = 2;
    kernel.gridZ = 3;
    kernel.blockX = 128;
    kernel.blockY = 4;
    kernel.blockZ = 1;
    kernel.staticSharedMemory = 5;
    kernel.dynamicSharedMemory = 6;
    kernel.sharedMemoryExecuted = 7;
    kernel.localMemoryPerThread = 8;
    kernel.localMemoryTotal = 9; // the old one of 32 bits
    kernel.localMemoryTotal_v2 = 5'000'000'000;
    kernel.gridId = -1;
    kernel.launchType = 2;
    kernel.graphNodeId = 10;
    kernel.name = "_Z4gemmv";
    m_buffer.add(kernel);
    EXPECT_THAT(decoded().kernels,
        testing::ElementsAre(trace::KernelRecord{.beginNs = 10,
            .endNs = 20,
            .deviceId = 1,
            .contextId = 2,
            .streamId = 3,
            .correlationId = kLast,
            .gridId = -1,
            .gridX = 1000,
            .gridY = 2,
            .gridZ = 3,
            .blockX = 128,
            .blockY = 4,
            .blockZ = 1,
            .registersPerThread = 255,
            .staticSharedBytes = 5,
            .dynamicSharedBytes = 6,
            .executedSharedBytes = 7,
            .localBytesPerThread = 8,
            .localBytes = 5'000'000'000,
            .launchType = 2,
            .graphNodeId = 10,
            .name = "_Z4gemmv"}));
}

TEST_F(RecordFieldsTest, readsCallsWithTheirNames)
{
    auto call = activityOf<ApiActivity>(CUPTI_ACTIVITY_KIND_RUNTIME);
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020;
    call.start = kOrigin - 3; // before the trace began
    call.end = kOrigin + 4;
    call.processId = 5;
    call.threadId = 6;
    call.returnValue = 2;
    m_buffer.add(call);
    call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    call.cbid = CUPTI_DRIVER_TRACE_CBID_cuMemCreate;
    m_buffer.add(call);
    call.cbid = 999'999;
    m_buffer.add(call);
    const auto calls = decoded().calls;
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[0],
        (trace::ApiRecord{.beginNs = -3,
            .endNs = 4,
            .callbackId = 20,
            .name = "cudaMalloc_v3020",
            .processId = 5,
            .threadId = 6,
            .returnValue = 2}));
    EXPECT_TRUE(calls[1].isDriver);
    EXPECT_EQ(calls[1].name, "cuMemCreate");
    EXPECT_EQ(calls[2].name, "");
}

TEST_F(RecordFieldsTest, readsOverheadAndFreesWhatItOwns)
{
    auto overhead = activityOf<OverheadActivity>(CUPTI_ACTIVITY_KIND_OVERHEAD);
    overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    overhead.objectId.pt = {4, 5};
    overhead.start = kOrigin + 1;
    overhead.end = kOrigin + 2;
    overhead.correlationId = 3;
    overhead.overheadData = std::malloc(64); // found by the leak checker where it is not freed
    m_buffer.add(overhead);
    EXPECT_THAT(decoded().overheads,
        testing::ElementsAre(trace::OverheadRecord{
            .beginNs = 1, .endNs = 2, .kind = 6 << 16, .processId = 4, .threadId = 5, .correlationId = 3}));
    OverheadActivity after;
    std::memcpy(&after, m_buffer.valid().data(), sizeof(after));
    EXPECT_EQ(after.overheadData, nullptr);
}

TEST_F(RecordFieldsTest, freesTheNamesOfDevices)
{
    auto device = activityOf<DeviceActivity>(CUPTI_ACTIVITY_KIND_DEVICE);
    device.name = ::strdup("a GPU");
    m_buffer.add(device);
    m_buffer.add(allocation(1, 2));
    EXPECT_EQ(decoded().memory.size(), 1U);
    EXPECT_EQ(counts(), DecodeCounts{.records = 2});
}

} // namespace
} // namespace headroom::collectors::cupti
