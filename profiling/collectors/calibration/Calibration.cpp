// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/Calibration.h"

#include "core/base/Bytes.h"
#include "core/base/Error.h"
#include "core/config/DeviceSpec.h"
#include "core/protocol/Calibration.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/collectors/calibration/CalibrationListener.h"
#include "profiling/collectors/calibration/CudaCalibration.h"
#include "profiling/collectors/calibration/DeviceTimer.h"
#include "profiling/collectors/calibration/ProbeRun.h"
#include "profiling/collectors/calibration/RateSurvey.h"
#include "profiling/collectors/calibration/StepOverheadProbe.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;

constexpr Bytes kSmallBlock = 4 * kMiB;
constexpr Bytes kMostKept = 512 * kMiB;
constexpr Bytes kMostBlock = 128 * kMiB;

at::Tensor bytesOf(Bytes bytes)
{
    return at::empty({bytes}, c10::kByte);
}

std::vector<at::Tensor> blocksOf(Bytes total, Bytes block)
{
    std::vector<at::Tensor> blocks;
    for (Bytes bytes = 0; bytes < total; bytes += block)
        blocks.push_back(bytesOf(block).zero_());
    return blocks;
}

std::int64_t pageFaults()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

void takeAndReturn(Bytes total, Bytes block)
{
    for (auto blocks = blocksOf(total, block); !blocks.empty();)
        blocks.pop_back(); // the last one first, as a backward pass does
}

// Whether the blocks come from the system again when they are taken once more. glibc adapts to what it is asked for, so
// the first passes do not count.
bool isKept(Bytes total, Bytes block)
{
    takeAndReturn(total, block);
    takeAndReturn(total, block);
    const std::int64_t before = pageFaults();
    takeAndReturn(total, block);
    const auto pages = static_cast<std::int64_t>(total / sysconf(_SC_PAGESIZE));
    return pageFaults() - before < pages / 4;
}

double secondsToFill(const at::Tensor& tensor)
{
    const auto begin = std::chrono::steady_clock::now();
    tensor.zero_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Filled twice, the first time with faults.
Timing faultTiming(Bytes bytes, int samples)
{
    std::vector<double> seconds;
    for (int sample = 0; sample < samples; ++sample) {
        const at::Tensor tensor = bytesOf(bytes);
        const double first = secondsToFill(tensor);
        seconds.push_back(std::max(first - secondsToFill(tensor), 1e-9));
    }
    return timingOf(std::move(seconds));
}

// What is kept need not grow with what is asked for, as glibc's limits rise on the way: the most counts.
Bytes keptBytes(Bytes most)
{
    Bytes kept = kSmallBlock;
    for (Bytes total = kSmallBlock; total <= most; total *= 2)
        if (isKept(total, kSmallBlock))
            kept = total;
    return kept;
}

Bytes largestKeptBlock(Bytes most)
{
    Bytes kept = kMiB;
    for (Bytes block = kMiB; block <= most; block *= 2)
        for (const Bytes size : {block, block / 2 * 3})
            if (isKept(size, size))
                kept = size;
    return kept;
}

CalibratedConstant bytesConstant(const char* key, Bytes bytes, const char* how)
{
    return {key, static_cast<double>(bytes), CalibratedConstant::Kind::Count, std::nullopt, how};
}

using Kind = CalibratedConstant::Kind;

// The heap grows as far as it must and is never given back, so that results land in memory that is there.
void keepFreedMemory()
{
    if (mallopt(M_MMAP_MAX, 0) == 0 || mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) == 0)
        throw TrialError("the C library's allocator takes no settings", "cpu", "glibc");
}

// On a host a transfer is a copy, and reads as much as it writes.
CalibratedConstant hostLinkOf(const std::vector<protocol::CalibratedRates>& rates)
{
    const auto copy = largestOf(rates, simulator::Work::Copy, simulator::MathType::Float32);
    if (!copy)
        throw TrialError("copies were not measured", "calibration");
    return {"speed.host_link_bytes_per_second", copy->perSecond / 2, Kind::Real, copy->spread,
        "clone of the largest size, each byte once"};
}

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "a processor without a name";
}

/// Measures the processor with the threads that trials have. Ops run under the instruments of a trial, and their
/// results lie in memory that the process has touched before: what fresh memory costs is a figure of its own.
protocol::Calibration calibrateCpu(protocol::CalibrationEffort effort, CalibrationListener& listener)
{
    protocol::Calibration calibration{.allocator = "exact", .hardware = {}, .capability = {}, .torchVersion = {}};
    calibration.hardware =
        processorName() + ", " + std::to_string(tensor::cpuThreads()) + " threads, " + tensor::cpuCapability();
    std::vector<CalibratedConstant> fresh = measureFreshMemory(effort);
    keepFreedMemory();
    CpuInstruments instruments(std::nullopt);
    HostTimer timer;
    const ProbeScope scope{c10::kCPU, {c10::kFloat, c10::kBFloat16, c10::kHalf, c10::kDouble}, effort};
    calibration.rates = measureRates(scope, timer, listener);
    calibration.constants = constantsOf(calibration.rates);
    calibration.constants.push_back(hostLinkOf(calibration.rates));
    std::ranges::move(
        measureStepOverhead(calibration.rates, timingEffort(effort)), std::back_inserter(calibration.constants));
    calibration.constants.push_back(
        {"speed.threads", static_cast<double>(tensor::cpuThreads()), Kind::Count, std::nullopt, "LibTorch's threads"});
    std::ranges::move(fresh, std::back_inserter(calibration.constants));
    return calibration;
}

} // namespace

std::vector<CalibratedConstant> measureFreshMemory(protocol::CalibrationEffort effort)
{
    const bool isFull = effort == protocol::CalibrationEffort::Full;
    const Bytes most = isFull ? kMostKept : 64 * kMiB;
    const Bytes touched = 64 * kMiB;
    const Timing fault = faultTiming(touched, isFull ? 7 : 3);
    return {
        {"speed.fresh_memory.bytes_per_second", static_cast<double>(touched) / fault.seconds,
            CalibratedConstant::Kind::Real, fault.spread, "zero_ of 64 MiB for the first time, less the second time"},
        bytesConstant("speed.fresh_memory.kept_bytes", keptBytes(most),
            "most blocks of 4 MiB that come back without page faults, in powers of two"),
        bytesConstant("speed.fresh_memory.largest_kept_block_bytes", largestKeptBlock(std::min(most, kMostBlock)),
            "largest block that comes back without page faults")};
}

protocol::Calibration calibrate(const protocol::CalibrationRequest& request, CalibrationListener& listener)
{
    const config::DeviceSpec device = config::parseDevice(request.device, "--device");
    if (!device.computes())
        throw UsageError(
            "found " + request.device + ", and only a real device can be measured", "--device", "cpu, cuda:N");
    const auto begin = std::chrono::steady_clock::now();
    protocol::Calibration calibration = device.kind == config::DeviceKind::Cpu
        ? calibrateCpu(request.effort, listener)
        : calibrateCuda(device.index, request.effort, listener);
    calibration.torchVersion = tensor::torchVersion();
    calibration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return calibration;
}

} // namespace headroom::collectors
