// SPDX-License-Identifier: Apache-2.0
//
// A program of its own: CUPTI has to be there before the process has a context, and once in a process.
#include "profiling/collectors/cuda/CudaInstruments.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "tests/profiling/comparisons/TracedRun.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace headroom::collectors::cuda_capture_test {
namespace {

constexpr Bytes kMostCuptiBytes = 8 * Bytes{3'200'000};
// What of the driver's memory no record tells: context, code, local memory. A context of a large GPU takes half a
// gibibyte.
constexpr Bytes kMostUntold = 2 * kGiB;

// Bytes that the driver has given out and not taken back, to be found in allocator segments of the same address.
std::map<std::uint64_t, Bytes> liveDeviceMemory(const trace::DeviceRecords& records)
{
    std::map<std::uint64_t, Bytes> live;
    for (const trace::DeviceMemoryRecord& record : records.memory) {
        if (record.kind != 3 || record.isAsync)
            continue;
        if (record.operation == 1)
            live[record.address] = record.bytes;
        else
            live.erase(record.address);
    }
    return live;
}

std::map<std::uint64_t, Bytes> liveSegments(const std::vector<trace::AllocatorEvent>& events)
{
    std::map<std::uint64_t, Bytes> live;
    for (const trace::AllocatorEvent& event : events) {
        if (event.action == trace::Action::SegmentAlloc)
            live[event.address] = event.bytes;
        else if (event.action == trace::Action::SegmentFree)
            live.erase(event.address);
    }
    return live;
}

Bytes sumOf(const std::map<std::uint64_t, Bytes>& live)
{
    Bytes sum = 0;
    for (const auto& [address, bytes] : live)
        sum += bytes;
    return sum;
}

/// Takes memory past LibTorch: once while the model loads, once while steps are timed.
class MemoryTaker final : public MeasurementListener {
public:
    static constexpr Bytes kTakenBytes = 8 * kMiB;

    ~MemoryTaker() override
    {
        cudaFree(whileLoading);
        cudaFree(whileTimed);
    }
    void phaseBegan(const std::string&, std::int64_t) override { take(whileLoading); }
    void stepTimed(std::int64_t, double) override { take(whileTimed); }
    bool isCancelled() override { return false; }

    void* whileLoading = nullptr;
    void* whileTimed = nullptr;

private:
    static void take(void*& memory)
    {
        if (memory == nullptr && cudaMalloc(&memory, kTakenBytes) != cudaSuccess)
            memory = nullptr;
    }
};

bool isTold(const trace::DeviceRecords& records, const void* memory)
{
    return std::ranges::any_of(records.memory, [&](const trace::DeviceMemoryRecord& record) {
        return record.address == reinterpret_cast<std::uintptr_t>(memory);
    });
}

std::string levelOf(const std::vector<std::string>& diagnostics)
{
    const auto found =
        std::ranges::find_if(diagnostics, [](const std::string& text) { return text.starts_with("capture "); });
    return found == diagnostics.end() ? "no level was reported" : *found;
}

TEST(CudaCaptureTest, allocatorDriverAndDeviceAgreeOnASmallLtx)
{
    const std::string reason = cudaAvailability().reason;
    if (!reason.empty())
        GTEST_SKIP() << reason;
    config::Trial trial = trialOfModel("ltx-video-tiny", "cuda:0", {}, {{"step", "forward_backward"}});
    KeptTrace sink;
    CudaInstruments instruments(0, std::nullopt, CaptureDepth::Kernels);
    MemoryTaker listener;
    TrialMeasurement measurement(trial, instruments, listener);
    measurement.setTraceSink(&sink);
    measurement.setComparison(Comparison::Off);
    const protocol::RepeatResult result = measurement.run();
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    for (const std::string& diagnostic : result.diagnostics)
        GTEST_LOG_(INFO) << diagnostic;
    if (!levelOf(result.diagnostics).starts_with("capture cupti_kernels"))
        GTEST_SKIP() << "CUPTI is not available here: " << levelOf(result.diagnostics);

    // What is taken past LibTorch is seen, except while steps are timed; then it is noticed afterwards.
    ASSERT_NE(listener.whileLoading, nullptr);
    ASSERT_NE(listener.whileTimed, nullptr);
    EXPECT_TRUE(isTold(sink.deviceRecords, listener.whileLoading));
    EXPECT_FALSE(isTold(sink.deviceRecords, listener.whileTimed));
    EXPECT_THAT(
        result.diagnostics, testing::Contains(testing::StartsWith("device memory outside LibTorch changed by")));

    // The driver knows every segment of the allocator, with the same bytes.
    const auto driver = liveDeviceMemory(sink.deviceRecords);
    for (const auto& [address, bytes] : liveSegments(sink.events)) {
        ASSERT_TRUE(driver.contains(address)) << address;
        EXPECT_EQ(driver.at(address), bytes);
    }
    // The device has what the driver gave out, and a named remainder.
    ASSERT_FALSE(sink.deviceRecords.deviceSamples.empty());
    if (const auto own = sink.deviceRecords.deviceSamples.back().processBytes) {
        EXPECT_GE(*own, sumOf(driver));
        EXPECT_LT(*own - sumOf(driver), kMostUntold);
    }
    // Kernels have times within the trace, launched in its phases.
    ASSERT_FALSE(sink.deviceRecords.kernels.empty());
    for (const trace::KernelRecord& kernel : sink.deviceRecords.kernels) {
        EXPECT_GT(kernel.endNs, kernel.beginNs);
        EXPECT_GE(kernel.beginNs, sink.phases.front().beginNs);
    }
    EXPECT_GE(sink.deviceRecords.clocks.size(), 2U);
    EXPECT_GT(sink.deviceRecords.hostSamples.back().residentBytes.value_or(0), 0);
    for (const std::string& diagnostic : result.diagnostics)
        if (diagnostic.starts_with("CUPTI keeps ")) {
            EXPECT_LE(std::stoll(diagnostic.substr(12)), kMostCuptiBytes);
        }
}

} // namespace
} // namespace headroom::collectors::cuda_capture_test
