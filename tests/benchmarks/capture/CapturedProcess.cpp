// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/capture/CapturedProcess.h"

#include "core/base/Error.h"
#include "core/base/Statistics.h"
#include "core/config/Installation.h"
#include "experiments/run/WorkerSession.h"
#include "profiling/store/traces/SpoolReader.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <map>

namespace headroom::capture_cost {
namespace {

using protocol::RepeatResult;

// CUPTI serves one client: where this is set the worker leaves it to LibTorch's profiler (docs/profiling.md).
constexpr const char* kOtherClient = "KINETO_USE_DAEMON";

RepeatResult resultOf(const config::Trial& trial, Capture capture, const std::string& spool, double timeoutSeconds)
{
    std::optional<EnvironmentVariable> otherClient;
    if (capture == Capture::Allocator)
        otherClient.emplace(kOtherClient, "1");
    experiments::WorkerSession session(config::workerProgram());
    const protocol::WorkerRequest request{.kind = protocol::RequestKind::Run,
        .id = 1,
        .trial = trial,
        .repeat = 1, // the first repeat would also be compared with the plain model
        .spoolPath = spool,
        .traceDepth = capture == Capture::Kernels ? protocol::TraceDepth::Kernels : protocol::TraceDepth::Memory};
    const experiments::Patience patience{.timeout = std::chrono::duration<double>(timeoutSeconds)};
    RepeatResult result = session.carryOut(request, patience, [](const protocol::WorkerEvent&) { });
    session.finish();
    if (result.outcome != Outcome::Completed)
        throw TrialError(result.reason, trial.configuration.model + ", capture " + std::string(toText(capture)));
    return result;
}

struct Span {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
};

std::optional<double> tracedStep(const std::vector<trace::PhaseSpan>& phases)
{
    std::map<std::int64_t, Span> steps;
    for (const trace::PhaseSpan& phase : phases)
        if (trace::isOfAStep(phase)) {
            const auto [step, isNew] = steps.emplace(phase.step, Span{phase.beginNs, phase.endNs});
            step->second.beginNs = std::min(step->second.beginNs, phase.beginNs);
            step->second.endNs = std::max(step->second.endNs, phase.endNs);
        }
    std::optional<double> quickest;
    for (const auto& [number, span] : steps) {
        const double seconds = 1e-9 * static_cast<double>(span.endNs - span.beginNs);
        quickest = std::min(quickest.value_or(seconds), seconds);
    }
    return quickest;
}

void readSpool(const std::filesystem::path& path, ProcessCost& cost)
{
    store::SpoolReader spool(path);
    cost.tracedStepSeconds = tracedStep(spool.phases());
    for (const store::TrackRow& track : spool.tracks())
        cost.events += track.events;
    cost.spoolBytes = static_cast<Bytes>(std::filesystem::file_size(path));
}

} // namespace

std::string_view toText(Capture capture)
{
    switch (capture) {
    case Capture::None:
        return "none";
    case Capture::Allocator:
        return "allocator";
    case Capture::Memory:
        return "memory";
    case Capture::Kernels:
        break;
    }
    return "kernels";
}

std::vector<Capture> capturesOn(const config::DeviceSpec& device)
{
    if (device.kind == config::DeviceKind::Cuda)
        return {Capture::None, Capture::Allocator, Capture::Memory, Capture::Kernels};
    return {Capture::None, Capture::Memory};
}

ProcessCost costOfProcess(const config::Trial& trial, Capture capture, double timeoutSeconds)
{
    const TemporaryFolder folder;
    const std::filesystem::path spool = capture == Capture::None ? "" : folder.file("trace.spool");
    const RepeatResult result = resultOf(trial, capture, spool.string(), timeoutSeconds);
    ProcessCost cost{.stepSeconds = median(result.stepSeconds).value_or(0),
        .peakAllocated = result.memory.peak.allocated,
        .peakDevice = result.memory.peak.device,
        .remarks = result.diagnostics};
    if (!spool.empty())
        readSpool(spool, cost);
    return cost;
}

} // namespace headroom::capture_cost
