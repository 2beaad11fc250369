// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/NvmlSampler.h"

#include "profiling/collectors/nvml/DeviceState.h"
#include "tests/support/EnvironmentVariable.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <map>
#include <thread>

namespace headroom::collectors::nvml {
namespace {

const char* const kNotSupported = "3";
const char* const kNoPermission = "4";

class NvmlSamplerTest : public testing::Test {
protected:
    // Until the test ends.
    void set(const char* name, const std::string& value)
    {
        m_variables.try_emplace(name, name, value).first->second.set(value);
    }
    static trace::DeviceSample sample(const std::string& path = FAKE_NVML)
    {
        const NvmlLibrary library(path);
        return stateOf(library.calls(), library.device("GPU-1", ""), static_cast<unsigned>(::getpid()));
    }
    static std::string self() { return std::to_string(::getpid()); }

private:
    std::map<std::string, EnvironmentVariable> m_variables;
};

TEST_F(NvmlSamplerTest, everyFigureOfTheDeviceIsRead)
{
    set("FAKE_NVML_PROCESSES", self() + ":1048576,1:2097152,2:4194304");
    const trace::DeviceSample expected{.totalBytes = 1000 * kMiB,
        .usedBytes = 300 * kMiB,
        .freeBytes = 600 * kMiB,
        .reservedBytes = 100 * kMiB,
        .processBytes = kMiB,
        .otherProcessesBytes = 6 * kMiB,
        .otherProcesses = 2,
        .gpuUtilisation = 0.75,
        .memoryUtilisation = 0.5,
        .smClockMhz = 1980,
        .memoryClockMhz = 3201,
        .powerWatts = 312.5,
        .temperatureCelsius = 61,
        .throttleReasons = 0x8000'0000'0000'0004ULL};
    EXPECT_EQ(sample(), expected);
}

TEST_F(NvmlSamplerTest, whatAnOldLibraryLacksIsNothing)
{
    const trace::DeviceSample expected{.totalBytes = 1000 * kMiB,
        .usedBytes = 400 * kMiB,
        .freeBytes = 600 * kMiB,
        .powerWatts = 312.5,
        .throttleReasons = 0x4};
    EXPECT_EQ(sample(FAKE_NVML_OLD), expected);
    EXPECT_EQ(NvmlLibrary(FAKE_NVML_OLD).version(), "");
}

TEST_F(NvmlSamplerTest, whatIsNotSupportedOrNotPermittedIsNothing)
{
    set("FAKE_NVML_PROCESSES", self() + ":1");
    for (const char* status : {kNotSupported, kNoPermission}) {
        set("FAKE_NVML_STATUS", status);
        EXPECT_EQ(sample(), trace::DeviceSample{}) << status;
    }
}

TEST_F(NvmlSamplerTest, bytesOfAProcessMayBeUnavailable)
{
    set("FAKE_NVML_PROCESSES", self() + ":-,1:5,2:-");
    EXPECT_EQ(sample().processBytes, std::nullopt);
    EXPECT_EQ(sample().otherProcesses, 2);
    EXPECT_EQ(sample().otherProcessesBytes, std::nullopt);
}

// In a container the list has the numbers of the host.
TEST_F(NvmlSamplerTest, whereThisProcessIsNotInTheListNobodysBytesAreTakenForItsOwn)
{
    set("FAKE_NVML_PROCESSES", "1:5");
    EXPECT_EQ(sample().processBytes, std::nullopt);
    EXPECT_EQ(sample().otherProcesses, std::nullopt);
    EXPECT_EQ(sample().otherProcessesBytes, std::nullopt);
}

TEST_F(NvmlSamplerTest, aListOfAnyLengthIsRead)
{
    std::string list = self() + ":7";
    for (int index = 0; index < 100; ++index)
        list += "," + std::to_string(1'000'000'000 + index) + ":1";
    set("FAKE_NVML_PROCESSES", list);
    EXPECT_EQ(sample().processBytes, 7);
    EXPECT_EQ(sample().otherProcessesBytes, 100);
}

TEST_F(NvmlSamplerTest, aDeviceIsFoundByWhatItIsNeverByItsNumber)
{
    const NvmlLibrary library(FAKE_NVML);
    EXPECT_NE(library.device("GPU-1", ""), nullptr);
    EXPECT_NE(library.device("", "0000:3b:00.0"), nullptr);
    EXPECT_NE(library.device("GPU-2", "0000:3b:00.0"), nullptr);
    EXPECT_EQ(library.device("GPU-2", "0000:00:00.0"), nullptr);
    EXPECT_EQ(library.device("", ""), nullptr);
}

// The runtime gives an instance's bytes without saying that it is one, and the address of the card.
TEST_F(NvmlSamplerTest, anInstanceIsFoundAndNeverTheWholeCardInItsPlace)
{
    const NvmlLibrary library(FAKE_NVML);
    DeviceHandle* const card = library.device("GPU-1", "");
    ASSERT_NE(card, nullptr);
    EXPECT_EQ(library.device("GPU-7", ""), nullptr);
    set("FAKE_NVML_MIG", "1");
    DeviceHandle* const instance = library.device("GPU-7", "0000:3b:00.0");
    ASSERT_NE(instance, nullptr);
    EXPECT_NE(instance, card);
    EXPECT_EQ(library.device("MIG-7", ""), instance);
    EXPECT_EQ(library.device("GPU-1", "0000:3b:00.0"), nullptr);
    EXPECT_EQ(library.device("GPU-9", "0000:3b:00.0"), nullptr);
}

TEST_F(NvmlSamplerTest, aTraceHasASampleAtItsBeginAndItsEnd)
{
    NvmlSampler sampler({"GPU-1", ""}, FAKE_NVML);
    EXPECT_TRUE(sampler.capability().isAvailable());
    EXPECT_EQ(sampler.capability().version, "13.580.65.06 (driver 580.65.06)");
    const auto origin = std::chrono::steady_clock::now();
    sampler.start(origin);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    Capture capture;
    sampler.stop(capture);
    const auto end = std::chrono::nanoseconds(std::chrono::steady_clock::now() - origin).count();
    const auto& samples = capture.records.deviceSamples;
    ASSERT_GE(samples.size(), 2U);
    EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end(),
        [](const trace::DeviceSample& a, const trace::DeviceSample& b) { return a.timeNs < b.timeNs; }));
    EXPECT_GE(samples.front().timeNs, 0);
    EXPECT_LE(samples.back().timeNs, end);
    const std::size_t before = samples.size();
    sampler.stop(capture); // not started again
    EXPECT_EQ(capture.records.deviceSamples.size(), before);
}

TEST_F(NvmlSamplerTest, withoutTheDeviceThereIsAReasonAndNoSample)
{
    NvmlSampler sampler({"GPU-9", "0000:00:00.0"}, FAKE_NVML);
    EXPECT_EQ(sampler.capability().reason,
        "NVML knows no device GPU-9 at 0000:00:00.0, or only a card that is divided into instances (MIG)");
    sampler.start(std::chrono::steady_clock::now());
    Capture capture;
    sampler.stop(capture);
    EXPECT_TRUE(capture.records.deviceSamples.empty());
}

TEST_F(NvmlSamplerTest, aLibraryThatIsNotThereOrNoneOrDoesNotStartIsAReason)
{
    EXPECT_THAT(NvmlLibrary("libno-such-nvml.so").problem(), testing::StartsWith("libno-such-nvml.so is not there"));
    EXPECT_THAT(NvmlLibrary("libm.so.6").problem(), testing::HasSubstr("is no NVML"));
    set("FAKE_NVML_START", "9");
    EXPECT_EQ(NvmlLibrary(FAKE_NVML).problem(), "NVML does not start: Driver Not Loaded");
    EXPECT_EQ(NvmlLibrary(FAKE_NVML).device("GPU-1", ""), nullptr);
}

} // namespace
} // namespace headroom::collectors::nvml
