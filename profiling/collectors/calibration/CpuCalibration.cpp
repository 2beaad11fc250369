// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/CpuCalibration.h"

#include "core/base/Error.h"
#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/collectors/calibration/FreshMemoryProbe.h"
#include "profiling/collectors/calibration/ProbeRun.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <malloc.h>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;
using Kind = CalibratedConstant::Kind;

// The heap grows as far as it must and is never given back, so that results land in memory that is there.
void keepFreedMemory()
{
    if (mallopt(M_MMAP_MAX, 0) == 0 || mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) == 0)
        throw TrialError("the C library's allocator takes no settings", "cpu", "glibc");
}

constexpr int kViews = 200;

at::Tensor viewsOf(at::Tensor last)
{
    for (int view = 0; view < kViews; ++view)
        last = last.transpose(0, 1);
    return last;
}

// A chain of views: what any op costs beside the time of its kernel.
CalibratedConstant viewTime(const TimingEffort& effort)
{
    const c10::NoGradGuard noGradients;
    const at::Tensor first = at::randn({4, 4});
    HostTimer timer;
    const Timing timing = timer.time([&] { viewsOf(first); }, effort);
    return {"speed.kernel_launch_seconds", timing.seconds / kViews, Kind::Real, timing.spread,
        "each op of a chain of 200 transposes"};
}

// The same chain recorded, with its backward pass, less what the ops of both passes take by themselves.
CalibratedConstant autogradTime(const TimingEffort& effort, double viewSeconds)
{
    const c10::AutoGradMode gradients(true);
    const at::Tensor first = at::randn({4, 4}).requires_grad_();
    const at::Tensor gradient = at::randn({4, 4});
    const auto chain = [&] { torch::autograd::grad({viewsOf(first)}, {first}, {gradient}); };
    const double ops = static_cast<double>(costsOf(chain).size());
    HostTimer timer;
    const Timing timing = timer.time(chain, effort);
    const double seconds = std::max((timing.seconds - ops * viewSeconds) / kViews, 1e-9);
    return {"speed.autograd_seconds", seconds, Kind::Real, timing.spread,
        "each op of a chain of 200 transposes and its backward pass, less the ops themselves"};
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

} // namespace

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
    calibration.constants.push_back(viewTime(timingEffort(effort)));
    calibration.constants.push_back(autogradTime(timingEffort(effort), calibration.constants.back().value));
    calibration.constants.push_back(
        {"speed.threads", static_cast<double>(tensor::cpuThreads()), Kind::Count, std::nullopt, "LibTorch's threads"});
    std::ranges::move(fresh, std::back_inserter(calibration.constants));
    return calibration;
}

} // namespace headroom::collectors
