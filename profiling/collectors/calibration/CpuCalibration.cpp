// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/CpuCalibration.h"

#include "core/base/Error.h"
#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/collectors/calibration/FreshMemoryProbe.h"
#include "profiling/collectors/calibration/ProbeRun.h"
#include "profiling/collectors/calibration/RateSurvey.h"
#include "profiling/collectors/calibration/StepOverheadProbe.h"

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
    std::ranges::move(
        measureStepOverhead(calibration.rates, timingEffort(effort)), std::back_inserter(calibration.constants));
    calibration.constants.push_back(
        {"speed.threads", static_cast<double>(tensor::cpuThreads()), Kind::Count, std::nullopt, "LibTorch's threads"});
    std::ranges::move(fresh, std::back_inserter(calibration.constants));
    return calibration;
}

} // namespace headroom::collectors
