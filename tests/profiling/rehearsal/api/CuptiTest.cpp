// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <cupti.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace headroom::rehearsal::tests::cupti_test {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

constexpr std::uint64_t kShift = 5'000'000'000'000; // a clock of the client's own
int g_requested = 0;
int g_completed = 0;
std::vector<std::vector<std::uint8_t>> g_records;

void CUPTIAPI onRequested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords)
{
    *buffer = new std::uint8_t[kBufferBytes];
    *bytes = kBufferBytes;
    *mostRecords = 0;
    ++g_requested;
}

void CUPTIAPI onCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t validBytes)
{
    CUpti_Activity* record = nullptr;
    while (call<CUptiResult(std::uint8_t*, std::size_t, CUpti_Activity**)>(
               "cuptiActivityGetNextRecord", buffer, validBytes, &record)
        == CUPTI_SUCCESS) {
        const auto* bytes = reinterpret_cast<std::uint8_t*>(record);
        const std::size_t left = validBytes - static_cast<std::size_t>(bytes - buffer);
        g_records.emplace_back(bytes, bytes + std::min<std::size_t>(left, 512));
    }
    delete[] buffer;
    ++g_completed;
}

std::uint64_t CUPTIAPI onTime()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return kShift + static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t profilerTime()
{
    std::uint64_t time = 0;
    EXPECT_EQ((call<CUptiResult(std::uint64_t*)>("cuptiGetTimestamp", &time)), CUPTI_SUCCESS);
    EXPECT_GE(time, kShift);
    return time;
}

template <typename Record> std::vector<Record> recordsOf(CUpti_ActivityKind kind)
{
    std::vector<Record> found;
    for (auto bytes : g_records) {
        bytes.resize(std::max(bytes.size(), sizeof(Record)));
        Record record;
        std::memcpy(&record, bytes.data(), sizeof(record));
        if (record.kind == kind)
            found.push_back(record);
    }
    return found;
}

class Cupti : public testing::Test {
protected:
    void SetUp() override
    {
        g_records.clear();
        call<int(void*)>("cudaFree", nullptr);
        ASSERT_EQ((call<CUptiResult(CUpti_TimestampCallbackFunc)>("cuptiActivityRegisterTimestampCallback", onTime)),
            CUPTI_SUCCESS);
        ASSERT_EQ((call<CUptiResult(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc)>(
                      "cuptiActivityRegisterCallbacks", onRequested, onCompleted)),
            CUPTI_SUCCESS);
        for (const CUpti_ActivityKind kind : kKinds)
            ASSERT_EQ(call<CUptiResult(CUpti_ActivityKind)>("cuptiActivityEnable", kind), CUPTI_SUCCESS);
    }

    void TearDown() override
    {
        for (const CUpti_ActivityKind kind : kKinds)
            call<CUptiResult(CUpti_ActivityKind)>("cuptiActivityDisable", kind);
        call<CUptiResult(std::uint32_t)>("cuptiActivityFlushAll", 1U);
        EXPECT_EQ(g_requested, g_completed);
    }

    static void flush() { call<CUptiResult(std::uint32_t)>("cuptiActivityFlushAll", 1U); }

    static constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMORY2,
        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME};
};

TEST_F(Cupti, productsBecomeKernelsInOrder)
{
    void* handle = nullptr;
    ASSERT_EQ(call<int(void**)>("cublasCreate_v2", &handle), 0);
    const std::uint64_t began = profilerTime();
    for (int index = 0; index < 2; ++index)
        EXPECT_EQ((call<int(void*, int, int, int, int, int, const void*, const void*, int, const void*, int,
                          const void*, void*, int)>("cublasSgemm_v2", handle, 1, 0, 256, 128, 64, nullptr, nullptr, 64,
                      nullptr, 64, nullptr, nullptr, 256)),
            0);
    flush();
    const auto kernels = recordsOf<CUpti_ActivityKernel9>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_STREQ(kernels[0].name, "gemm f32 TN 256x128x64 batch 1");
    constexpr std::uint64_t kSlackNs = 1'000'000;
    EXPECT_GE(kernels[0].start + kSlackNs, began);
    EXPECT_LT(kernels[0].start, kernels[0].end);
    EXPECT_LE(kernels[0].end, kernels[1].start + kSlackNs / 100);
    call<int(void*)>("cublasDestroy_v2", handle);
}

TEST_F(Cupti, memoryIsSeenWithItsCall)
{
    const std::uint64_t before = profilerTime();
    {
        const DeviceBytes memory(3U << 20U);
    }
    const std::uint64_t after = profilerTime();
    flush();
    const auto changes = recordsOf<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].memoryOperationType, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION);
    EXPECT_EQ(changes[1].memoryOperationType, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE);
    EXPECT_EQ(changes[0].address, changes[1].address);
    EXPECT_EQ(changes[0].bytes, 3U << 20U);
    EXPECT_GE(changes[0].timestamp, before);
    EXPECT_LE(changes[0].timestamp, after);
    const auto calls = recordsOf<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    const auto malloc = std::find_if(calls.begin(), calls.end(),
        [](const CUpti_ActivityAPI& api) { return api.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020; });
    ASSERT_NE(malloc, calls.end());
    EXPECT_EQ(malloc->correlationId, changes[0].correlationId);
}

TEST_F(Cupti, copiesHaveTheirBytesAndKinds)
{
    const DeviceBytes memory(4096);
    std::vector<char> host(4096);
    copyIn(memory.address(), host.data(), host.size());
    flush();
    const auto copies = recordsOf<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].bytes, 4096U);
    EXPECT_EQ(copies[0].copyKind, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD);
    EXPECT_EQ(copies[0].srcKind, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE);
}

int g_entered = 0;
int g_left = 0;

void CUPTIAPI onCall(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* data)
{
    const auto& of = *static_cast<const CUpti_CallbackData*>(data);
    (of.callbackSite == CUPTI_API_ENTER ? g_entered : g_left) += 1;
}

TEST_F(Cupti, oneSubscriberIsCalledAroundTheCallsItWants)
{
    CUpti_SubscriberHandle subscriber = nullptr;
    CUpti_SubscriberHandle other = nullptr;
    using Subscribe = CUptiResult(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*);
    ASSERT_EQ(call<Subscribe>("cuptiSubscribe", &subscriber, onCall, nullptr), CUPTI_SUCCESS);
    EXPECT_EQ(
        call<Subscribe>("cuptiSubscribe", &other, onCall, nullptr), CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    ASSERT_EQ((call<CUptiResult(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId)>(
                  "cuptiEnableCallback", 1U, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                  static_cast<CUpti_CallbackId>(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020))),
        CUPTI_SUCCESS);
    {
        const DeviceBytes memory(1024);
    }
    EXPECT_EQ(g_entered, 1);
    EXPECT_EQ(g_left, 1);
    EXPECT_EQ(call<CUptiResult(CUpti_SubscriberHandle)>("cuptiUnsubscribe", subscriber), CUPTI_SUCCESS);
}

TEST_F(Cupti, callsHaveTheNamesOfTheHeaders)
{
    const char* name = nullptr;
    EXPECT_EQ((call<CUptiResult(CUpti_CallbackDomain, std::uint32_t, const char**)>("cuptiGetCallbackName",
                  CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, &name)),
        CUPTI_SUCCESS);
    EXPECT_STREQ(name, "cudaMalloc_v3020");
}

} // namespace
} // namespace headroom::rehearsal::tests::cupti_test
