// SPDX-License-Identifier: Apache-2.0
#include "app/worker/TrialService.h"

#include "app/worker/CalibrationService.h"
#include "app/worker/Description.h"
#include "app/worker/ModelInspection.h"
#include "app/worker/SpoolSink.h"
#include "app/worker/WorkerRules.h"
#include "core/base/Error.h"
#include "core/base/FreedMemory.h"
#include "core/config/Installation.h"
#include "core/config/techniques/BudgetSize.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "core/protocol/AllocatorVariables.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/collectors/budget/BudgetedTrial.h"
#include "profiling/collectors/cuda/CudaInstruments.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/Ending.h"
#include "profiling/measurement/ParityCheck.h"
#include "profiling/measurement/TrialMeasurement.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace headroom::worker {
namespace {

using protocol::EventKind;
using protocol::RequestKind;

collectors::CaptureDepth depthOf(const protocol::WorkerRequest& request)
{
    if (request.spoolPath.empty())
        return collectors::CaptureDepth::None;
    return request.traceDepth == protocol::TraceDepth::Kernels ? collectors::CaptureDepth::Kernels
                                                               : collectors::CaptureDepth::Memory;
}

// Kept from one request to the next; looking through more takes milliseconds.
constexpr Bytes kMostFreedMemory = 256 * kMiB;

using collectors::DeviceLimit;

DeviceLimit limitFor(const protocol::WorkerRequest& request)
{
    return request.aim == protocol::SimulationAim::Need ? DeviceLimit::Lifted : DeviceLimit::Kept;
}

// Sends a trial's progress to the parent. Simulated trials take milliseconds: only their outcome is sent.
class ProgressListener final : public collectors::MeasurementListener {
public:
    ProgressListener(const protocol::WorkerRequest& request, EventWriter& events, RequestQueue& requests)
        : m_id(request.id)
        , m_isQuiet(request.kind == RequestKind::Simulate)
        , m_total(request.trial->protocol.steps)
        , m_events(events)
        , m_requests(requests)
    {
    }

    // Every phase once, then only as often as somebody could follow: writing a line for each phase of a short step
    // would be timed with it, and it wakes the parent on a processor that the step may need.
    void phaseBegan(const std::string& phase, std::int64_t step) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (m_isQuiet || (!m_reported.insert(phase).second && now - m_lastReport < kShortestInterval))
            return;
        m_lastReport = now;
        m_events.write({.kind = EventKind::Phase, .id = m_id, .phase = phase, .step = step});
    }

    void stepTimed(std::int64_t step, double seconds) override
    {
        if (m_isQuiet)
            return;
        m_events.write({.kind = EventKind::Sample, .id = m_id, .step = step, .seconds = seconds});
        m_events.write({.kind = EventKind::Progress,
            .id = m_id,
            .step = m_done = std::min(m_done + 1, m_total),
            .total = m_total});
    }

    bool isCancelled() override { return m_requests.isCancelled(m_id); }

private:
    static constexpr auto kShortestInterval = std::chrono::milliseconds(10);

    std::int64_t m_id;
    bool m_isQuiet;
    std::set<std::string> m_reported;
    std::chrono::steady_clock::time_point m_lastReport;
    std::int64_t m_total;
    std::int64_t m_done = 0;
    EventWriter& m_events;
    RequestQueue& m_requests;
};

protocol::RepeatResult failure(const std::string& reason)
{
    protocol::RepeatResult result;
    result.outcome = Outcome::Failed;
    result.reason = reason;
    return result;
}

// If a spool cannot be created (a full disk), the trace is lost but not the trial.
std::unique_ptr<SpoolSink> spoolFor(const protocol::WorkerRequest& request, std::string& problem)
{
    if (request.spoolPath.empty())
        return nullptr;
    try {
        return std::make_unique<SpoolSink>(request.spoolPath);
    } catch (const FileError& error) {
        problem = error.what();
        return nullptr;
    }
}

} // namespace

TrialService::TrialService(RequestQueue& requests, EventWriter& events, confinement::Confinement confinement)
    : m_requests(requests)
    , m_events(events)
    , m_confinement(std::move(confinement))
{
}

void TrialService::run()
{
    m_events.write({.kind = EventKind::Hello, .description = description(Detail::Brief, m_confinement)});
    while (const auto line = m_requests.next()) {
        serve(*line);
        returnFreedMemory(kMostFreedMemory);
    }
}

// The boundary of one request: whatever goes wrong in it becomes its outcome, and the next one is served.
void TrialService::serve(const std::string& line)
{
    protocol::WorkerRequest request;
    try {
        request = protocol::requestFromLine(line);
        answer(request);
    } catch (const c10::Error& error) {
        m_events.write(
            {.kind = EventKind::Outcome, .id = request.id, .result = failure(error.what_without_backtrace())});
    } catch (const std::exception& error) {
        m_events.write({.kind = EventKind::Outcome, .id = request.id, .result = failure(error.what())});
    }
}

void TrialService::answer(const protocol::WorkerRequest& request)
{
    if (request.kind == RequestKind::Describe) {
        m_events.write({.kind = EventKind::Description,
            .id = request.id,
            .description = description(Detail::Full, m_confinement)});
        return;
    }
    if (request.kind == RequestKind::Calibrate) {
        m_events.write({.kind = EventKind::Calibration,
            .id = request.id,
            .calibration = calibrated(request, m_requests, m_events, remarkOnCuda(m_confinement))});
        return;
    }
    if (!request.trial)
        throw TrialError("a run without a trial", "worker request", "the key \"trial\"");
    if (request.kind == RequestKind::Parity) {
        m_events.write({.kind = EventKind::Parity, .id = request.id, .parity = compared(request)});
        return;
    }
    if (request.kind == RequestKind::Inspect) {
        m_events.write({.kind = EventKind::Outcome, .id = request.id, .result = inspected(*request.trial)});
        return;
    }
    m_events.write({.kind = EventKind::Outcome, .id = request.id, .result = carriedOut(request)});
}

// Errors that a person can correct are distinguished by what has to be corrected.
protocol::ParityAnswer TrialService::compared(const protocol::WorkerRequest& request) const
{
    using Problem = protocol::ParityAnswer::Problem;
    if (!request.parity)
        throw TrialError("a comparison without files", "worker request", "the key \"parity\"");
    try {
        if (request.trial->device.kind == config::DeviceKind::Cuda)
            openGpu(*request.trial, [](int index) { collectors::openCudaDevice(index); });
        return {collectors::ParityCheck(*request.trial, *request.parity).run()};
    } catch (const UsageError& error) {
        return {std::nullopt, Problem::Usage, error.what()};
    } catch (const FileError& error) {
        return {std::nullopt, Problem::File, error.what()};
    } catch (const c10::Error& error) {
        return {std::nullopt, Problem::Trial,
            std::string("LibTorch ended the comparison (do the inputs have the shapes of the model's forward?): ")
                + error.what_without_backtrace()};
    } catch (const std::exception& error) {
        return {std::nullopt, Problem::Trial, error.what()};
    }
}

// A trial that is simulated for its record and runs out of memory is simulated once more on its device without the
// limit: its total need is as much a result as the fact that it does not fit.
protocol::RepeatResult TrialService::carriedOut(const protocol::WorkerRequest& request)
{
    if (config::budgetOf(request.trial->configuration.techniques.at("checkpointing").notation))
        return carriedOutWithinBudget(request);
    protocol::RepeatResult result = measured(request);
    const bool isForTheRecord = request.trial->device.isSimulated() && request.aim == protocol::SimulationAim::Record;
    if (!isForTheRecord || !result.outOfMemory)
        return result;
    const auto unlimited = withoutLimit(request, result.diagnostics);
    if (unlimited && unlimited->outcome == Outcome::Cancelled)
        return *unlimited;
    if (unlimited)
        result.need = protocol::needOf(*unlimited, *result.outOfMemory);
    return result;
}

// On a device that is not simulated, whoever asks for the run has a simulation plan it first.
protocol::RepeatResult TrialService::carriedOutWithinBudget(const protocol::WorkerRequest& request)
{
    if (!request.trial->device.isSimulated())
        throw TrialError("a budget that was not planned", "checkpointing",
            "the notation that a simulation of the trial resolves it to");
    ProgressListener listener(request, m_events, m_requests);
    std::optional<collectors::BudgetedTrial> planned;
    if (const auto ending = collectors::catchTrialStop([&] {
            planned = collectors::planBudget(*request.trial, profiles().simulatedDevice(*request.trial), listener);
        })) {
        protocol::RepeatResult result = failure(ending->reason);
        result.outcome = ending->outcome;
        return result;
    }
    protocol::WorkerRequest resolved = request;
    resolved.trial = planned->trial;
    protocol::RepeatResult result = carriedOut(resolved);
    std::string& effective = result.effective["checkpointing"];
    effective = config::budgetRemark(planned->budget, planned->notation, planned->peakBytes) + effective;
    result.resolved["checkpointing"] = planned->notation;
    return result;
}

// The trial stays out of memory, whatever happens in the second simulation.
std::optional<protocol::RepeatResult> TrialService::withoutLimit(
    const protocol::WorkerRequest& request, std::vector<std::string>& diagnostics)
{
    protocol::WorkerRequest unlimited = request;
    unlimited.aim = protocol::SimulationAim::Need;
    unlimited.spoolPath.clear();
    try {
        return measured(unlimited);
    } catch (const std::exception& error) {
        diagnostics.push_back("what the trial needs in all is not known: " + std::string(error.what()));
        return std::nullopt;
    }
}

// Whatever has no trace can be had in a shorter way, unless a trial turns out not to have one.
protocol::RepeatResult TrialService::measured(const protocol::WorkerRequest& request)
{
    if (!request.spoolPath.empty() || !request.trial->device.isSimulated())
        return measured(request, collectors::Shortcuts::Off);
    const config::Configuration& configuration = request.trial->configuration;
    const bool isRecord = request.aim == protocol::SimulationAim::Record;
    const std::string combination =
        (isRecord ? "record " : "") + configuration.model + " " + config::techniqueLabel(configuration);
    try {
        if (!m_withoutShortcut.contains(combination))
            return measured(request, collectors::Shortcuts::On);
    } catch (const collectors::UnlikeBlocks&) {
        m_withoutShortcut.insert(combination);
    }
    return measured(request, collectors::Shortcuts::Steps);
}

protocol::RepeatResult TrialService::measured(const protocol::WorkerRequest& request, collectors::Shortcuts shortcuts)
{
    const config::Trial& trial = *request.trial;
    std::string untraced;
    const auto sink = spoolFor(request, untraced);
    const auto instruments = instrumentsFor(request);
    ProgressListener listener(request, m_events, m_requests);
    protocol::RepeatResult result;
    {
        collectors::TrialMeasurement measurement(trial, *instruments, listener);
        measurement.setTraceSink(sink.get());
        if (request.repeat > 0) // repeats give the same numbers
            measurement.setComparison(collectors::Comparison::Off);
        if (request.aim != protocol::SimulationAim::Record)
            measurement.setDiagnostics(collectors::Diagnostics::Off);
        measurement.setShortcuts(shortcuts);
        result = measurement.run();
    }
    if (sink) {
        sink->finish();
        if (!sink->problem().empty())
            result.diagnostics.push_back("the trace is incomplete: " + sink->problem());
    }
    if (!untraced.empty())
        result.diagnostics.push_back("there is no trace: " + untraced);
    return result;
}

std::unique_ptr<collectors::Instruments> TrialService::instrumentsFor(const protocol::WorkerRequest& request)
{
    const config::Trial& trial = *request.trial;
    std::unique_ptr<collectors::Instruments> instruments;
    switch (trial.device.kind) {
    case config::DeviceKind::Cpu:
        instruments = std::make_unique<collectors::CpuInstruments>(trial.memoryLimitBytes);
        break;
    case config::DeviceKind::Cuda:
        openGpu(trial, [&](int index) {
            instruments =
                std::make_unique<collectors::CudaInstruments>(index, trial.memoryLimitBytes, depthOf(request));
        });
        break;
    case config::DeviceKind::Rehearsed:
        experiments::requireStartedWith(trial.allocator);
        collectors::openRehearsedCard(trial.device.runtime, trial.device.notation());
        instruments = std::make_unique<collectors::CudaInstruments>(
            0, limitFor(request) == DeviceLimit::Kept ? trial.memoryLimitBytes : std::nullopt, depthOf(request));
        break;
    case config::DeviceKind::Simulated:
        instruments = std::make_unique<collectors::SimulatedInstruments>(
            profiles().simulatedDevice(trial), trial.memoryLimitBytes, limitFor(request));
        break;
    }
    return instruments;
}

// The first calls of CUDA are where a driver that may not use a file gives up.
void TrialService::openGpu(const config::Trial& trial, const std::function<void(int index)>& open) const
{
    experiments::requireStartedWith(trial.allocator);
    try {
        open(trial.device.index);
    } catch (const TrialError& error) {
        throw TrialError(error.problem() + remarkOnCuda(m_confinement), error.where(), error.valid());
    } catch (const c10::Error& error) {
        throw TrialError(error.what_without_backtrace() + remarkOnCuda(m_confinement));
    }
}

const simulator::ProfileCatalogue& TrialService::profiles()
{
    if (!m_profiles)
        m_profiles.emplace(config::resourceDirectory());
    return *m_profiles;
}

} // namespace headroom::worker
