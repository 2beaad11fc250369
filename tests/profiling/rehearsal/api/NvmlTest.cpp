// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace headroom::rehearsal::tests::nvml_test {
namespace {

struct MemoryInfo {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct Process {
    unsigned pid;
    unsigned long long bytes;
    unsigned instances[2];
};

class Nvml : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(call<int()>("nvmlInit_v2"), 0);
        ASSERT_EQ((call<int(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2", 0U, &m_device)), 0);
    }
    void TearDown() override { call<int()>("nvmlShutdown"); }

    MemoryInfo memory() const
    {
        MemoryInfo info{};
        EXPECT_EQ((call<int(void*, MemoryInfo*)>("nvmlDeviceGetMemoryInfo", m_device, &info)), 0);
        return info;
    }

    void* m_device = nullptr;
};

TEST_F(Nvml, usedMemoryIsTheAccounts)
{
    call<int(void*)>("cudaFree", nullptr); // opens the context
    const MemoryInfo before = memory();
    EXPECT_EQ(before.total, 85029158912U);
    EXPECT_GE(before.used, 524288000U);
    EXPECT_EQ(before.free + before.used, before.total);
    const DeviceBytes taken(64U << 20U);
    EXPECT_EQ(memory().used - before.used, 64U << 20U);
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ((call<int(std::size_t*, std::size_t*)>("cudaMemGetInfo", &free, &total)), 0);
    EXPECT_EQ(free, memory().free);
}

TEST_F(Nvml, thisProcessIsListedWithItsBytes)
{
    const DeviceBytes taken(32U << 20U);
    std::array<Process, 8> list{};
    unsigned count = list.size();
    ASSERT_EQ((call<int(void*, unsigned*, Process*)>(
                  "nvmlDeviceGetComputeRunningProcesses_v3", m_device, &count, list.data())),
        0);
    const auto* own = std::find_if(list.begin(), list.begin() + count,
        [](const Process& process) { return process.pid == static_cast<unsigned>(::getpid()); });
    ASSERT_NE(own, list.begin() + count);
    EXPECT_GE(own->bytes, 524288000U + (32U << 20U));
    constexpr int kInsufficientSize = 7;
    count = 0;
    EXPECT_EQ(
        (call<int(void*, unsigned*, Process*)>("nvmlDeviceGetComputeRunningProcesses_v3", m_device, &count, nullptr)),
        kInsufficientSize);
    EXPECT_GE(count, 1U);
}

TEST_F(Nvml, aDeviceIsFoundByItsNames)
{
    std::array<char, 96> uuid{};
    ASSERT_EQ((call<int(void*, char*, unsigned)>("nvmlDeviceGetUUID", m_device, uuid.data(), 96U)), 0);
    EXPECT_EQ(std::string(uuid.data()).substr(0, 4), "GPU-");
    void* found = nullptr;
    EXPECT_EQ((call<int(const char*, void**)>("nvmlDeviceGetHandleByUUID", uuid.data(), &found)), 0);
    EXPECT_EQ(found, m_device);
    std::array<char, 32> busId{};
    EXPECT_EQ((call<int(char*, int, int)>("cudaDeviceGetPCIBusId", busId.data(), 32, 0)), 0);
    found = nullptr;
    EXPECT_EQ((call<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2", busId.data(), &found)), 0);
    EXPECT_EQ(found, m_device);
    std::array<char, 64> name{};
    EXPECT_EQ((call<int(void*, char*, unsigned)>("nvmlDeviceGetName", m_device, name.data(), 64U)), 0);
    EXPECT_STREQ(name.data(), "NVIDIA H100 80GB HBM3");
}

TEST_F(Nvml, whatWouldHaveToBeMeasuredIsNotSupported)
{
    constexpr int kNotSupported = 3;
    unsigned value = 0;
    EXPECT_EQ((call<int(void*, unsigned*)>("nvmlDeviceGetPowerUsage", m_device, &value)), kNotSupported);
    EXPECT_EQ((call<int(void*, int, unsigned*)>("nvmlDeviceGetTemperature", m_device, 0, &value)), kNotSupported);
    EXPECT_EQ((call<int(void*, int, unsigned*)>("nvmlDeviceGetClockInfo", m_device, 2, &value)), 0);
    EXPECT_EQ(value, 2619U);
}

} // namespace
} // namespace headroom::rehearsal::tests::nvml_test
