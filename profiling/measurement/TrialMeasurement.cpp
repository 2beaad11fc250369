// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TrialMeasurement.h"

#include "core/config/LossChunks.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/families/ModelZoo.h"
#include "core/recompute/SavedTensorCounter.h"
#include "core/tensor/DeviceContext.h"
#include "core/training/Gradients.h"
#include "profiling/kernels/OpRules.h"
#include "profiling/measurement/BaselineComparison.h"
#include "profiling/measurement/CaptureScope.h"
#include "profiling/measurement/Ending.h"
#include "profiling/measurement/TimedSteps.h"

#include <utility>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kInputSeedOffset = 1;

// Adds a remark, unless it is empty.
void addTo(std::vector<std::string>& remarks, const std::string& remark)
{
    if (!remark.empty())
        remarks.push_back(remark);
}

std::optional<Bytes> lessWhatWent(std::optional<Bytes> figure, std::optional<Bytes> before, std::optional<Bytes> after)
{
    return figure && before && after ? std::optional(*figure - (*before - *after)) : std::nullopt;
}

} // namespace

TrialMeasurement::TrialMeasurement(const config::Trial& trial, Instruments& instruments, MeasurementListener& listener)
    : m_trial(trial)
    , m_instruments(instruments)
    , m_listener(listener)
    , m_ledger(instruments)
    , m_steadyState(trial.protocol)
    , m_options(tensor::tensorOptions(trial.device, trial.configuration.workload.dtype))
    , m_models(m_trial)
{
    m_ledger.setPhaseListener(
        [this](const std::string& phase, std::int64_t step) { m_listener.phaseBegan(phase, step); });
    m_result.memory.limit = instruments.limit();
    m_result.memory.segmentAddresses = instruments.segmentAddresses();
    tensor::prepareSavedTensorHooks();
}

TrialMeasurement::~TrialMeasurement() = default;

protocol::RepeatResult TrialMeasurement::run()
{
    m_result.outcome = Outcome::Completed;
    const auto ending = catchTrialStop([this] { measure(); });
    m_result.opsWithoutRule = m_instruments.opsWithoutRule();
    addTo(m_result.diagnostics, remarkOn(m_result.opsWithoutRule));
    leaveOutCounters();
    if (ending) {
        m_trace.reset();
        m_result.outcome = ending->outcome;
        m_result.reason = ending->reason;
        m_result.phase = m_ledger.currentPhase();
        if (ending->outcome == Outcome::OutOfMemory) {
            m_result.outOfMemory = m_instruments.failedRequest(ending->request);
            m_result.outOfMemory->phase = m_result.phase;
        }
        m_result.memory.wholeRunPeak = m_ledger.wholeRunPeak();
        m_result.memory.allocRetries = m_instruments.allocRetries();
        return m_result;
    }
    runDiagnostics();
    return m_result;
}

void TrialMeasurement::measure()
{
    if (m_trial.device.isSimulated() && (m_diagnostics == Diagnostics::On || m_traceSink != nullptr))
        startTrace();
    load();
    if (m_trial.protocol.keepBaselineOutput && !config::isBaseline(m_trial.configuration))
        runBaseline();
    if (m_trial.protocol.plainWarmup)
        warmUpPlain();
    prepare();
    m_ledger.beginSpan();
    warmUp();
    timeSteps();
    while (!m_steadyState.accepts(m_result.stepSeconds)) {
        m_steadyState.resume(std::exchange(m_result.stepSeconds, {}));
        warmUp();
        timeSteps();
    }
    judge();
    readMemory();
    stopTrace();
}

void TrialMeasurement::runDiagnostics()
{
    if (m_diagnostics == Diagnostics::On && !m_trial.device.isSimulated())
        runDiagnostic("trace", [this] { traceSteps(); });
    m_trace.reset(); // however it ended: later steps are not part of it, and it must not keep the model alive
    runDiagnostic("cleared gradients", [this] { readCleared(); });
    if (m_diagnostics == Diagnostics::On) {
        runDiagnostic("saved bytes", [this] { countSavedTensors(); });
        runDiagnostic("comparison", [this] { compareWithBaseline(); });
    }
}

// The measurement stays valid whatever happens in a diagnostic step.
void TrialMeasurement::runDiagnostic(const char* what, const std::function<void()>& action)
{
    const auto note = [&](const std::string& reason) {
        addTo(m_result.diagnostics, "after the measurement, " + std::string(what) + ": " + reason);
    };
    try {
        if (const auto ending = catchTrialStop(action))
            note(ending->reason);
    } catch (const c10::Error& error) {
        note(error.what_without_backtrace());
    } catch (const std::exception& error) {
        note(error.what());
    }
}

void TrialMeasurement::load()
{
    const training::PhaseScope phase(m_ledger, "load", 0);
    loadModels();
    m_instruments.synchronise();
    m_instruments.emptyCache();
    m_result.memory.afterLoad = m_instruments.current();
    m_inputs = makeInputs();
}

// They are the same each time.
models::Inputs TrialMeasurement::makeInputs() const
{
    tensor::seedGenerators(m_trial.configuration.workload.seed + kInputSeedOffset);
    const tensor::MemoryScope scope(config::MemoryCategory::Inputs);
    return models::makeInputs(m_trial.configuration, m_options);
}

void TrialMeasurement::loadModels()
{
    m_models.load();
    if (m_trace)
        m_trace->addModel(m_models.model());
    m_result.parameters = models::parameterCount(m_models.model());
    m_result.weightBytes = models::parameterBytes(m_models.model());
    m_models.loadHarness([this](const std::string& what, models::Model& model) {
        if (m_trace)
            m_trace->addSecondModel(model);
        m_result.memory.harness.push_back({what, models::parameterBytes(model)});
    });
}

// The published comparisons run the plain model first, in the same process, and keep its output.
void TrialMeasurement::runBaseline()
{
    const training::PhaseScope phase(m_ledger, "baseline", 0);
    const RunnableModel plain = m_models.baseline();
    config::Workload workload = config::withWholeLoss(m_trial.configuration.workload); // one tensor is kept
    workload.output = config::ModelOutput::Held;
    training::StepRunner runner(plain.model, plain.techniques.hooks(), workload, m_inputs, m_instruments);
    runner.run(0);
    m_baselineOutput = runner.run(0).output;
    if (m_trace)
        m_trace->claim(m_baselineOutput, config::MemoryCategory::Harness);
    training::clearGradients(runner.parameters(), config::GradientClearing::SetToNone);
    m_result.memory.harness.push_back({"baseline output", static_cast<Bytes>(m_baselineOutput.nbytes())});
}

// A benchmark that sweeps techniques in one process has warmed up without them: kept gradients lie where a plain step
// put them. If the plain model does not fit, the techniques may still fit: the trial then warms up by itself.
void TrialMeasurement::warmUpPlain()
{
    const auto ending = catchTrialStop([this] { runPlainSteps(); });
    m_hasWarmedUpPlain = !ending;
    throwIfCancelled();
    if (!ending)
        return;
    m_result.diagnostics.push_back("no plain warm-up, as the model without techniques does not fit: " + ending->reason);
    training::clearGradients(m_models.model().parameters(), config::GradientClearing::SetToNone);
    m_ledger.forgetFailure();
}

void TrialMeasurement::runPlainSteps()
{
    const training::PhaseScope phase(m_ledger, "plain_warmup", 0);
    const RunnableModel plain = m_models.plain();
    training::StepRunner runner(
        plain.model, plain.techniques.hooks(), m_trial.configuration.workload, m_inputs, m_instruments);
    for (int index = 0; index < m_trial.protocol.warmupSteps; ++index) {
        throwIfCancelled();
        runner.run(0);
    }
}

void TrialMeasurement::prepare()
{
    m_models.applyTechniques();
    const RunnableModel own = m_models.own();
    m_result.weightBytes = models::parameterBytes(own.model);
    if (m_trace)
        m_trace->addModel(own.model);
    m_result.effective = own.techniques.effective();
    m_runner = std::make_unique<training::StepRunner>(
        own.model, own.techniques.hooks(), m_trial.configuration.workload, std::exchange(m_inputs, {}), m_ledger);
    takeShortcut(own);
    m_instruments.synchronise();
    m_instruments.emptyCache();
}

training::StepOutput TrialMeasurement::step()
{
    throwIfCancelled();
    training::StepOutput output = m_accounts ? countedStep() : m_runner->run(m_step++);
    if (m_trace)
        m_trace->stepEnded();
    return output;
}

double TrialMeasurement::timedStep()
{
    m_instruments.synchronise();
    const auto begin = m_instruments.now();
    if (!repeatStep())
        runStep();
    m_instruments.synchronise();
    return seconds(m_instruments.now() - begin);
}

// After a plain warm-up a trial whose steps compute nothing has nothing more to do.
void TrialMeasurement::warmUp()
{
    if (!m_trial.device.computes() && m_hasWarmedUpPlain)
        return;
    const training::PhaseScope phase(m_ledger, trace::kWarmUpPhase, m_step);
    // Steps whose time is a model's have no noise to wait out. They may still differ: if an optimizer keeps state,
    // blocks move from step to step, and reserved memory may grow for some of them.
    if (!m_trial.device.computes())
        for (int index = 0; index < m_trial.protocol.warmupSteps; ++index)
            noteFirstStep(timedStep());
    else
        while (!m_steadyState.warmUpIsOver())
            warmUpStep();
}

void TrialMeasurement::warmUpStep()
{
    const double duration = timedStep();
    noteFirstStep(duration);
    const protocol::MemoryFigures peak = m_ledger.allocatorPeak();
    m_steadyState.add(duration, {peak.allocated, peak.reserved, m_instruments.allocRetries()});
}

void TrialMeasurement::timeSteps()
{
    const CapturePause pause(m_instruments);
    m_ledger.beginSpan();
    if (m_trace)
        m_trace->beginSpan();
    const TimedSteps timed = timedSteps(m_trial, m_hasWarmedUpPlain);
    addTo(m_result.diagnostics, timed.remark);
    for (int sample = 0; sample < timed.samples; ++sample)
        timeSample(timed.stepsPerSample);
}

void TrialMeasurement::timeSample(int steps)
{
    double seconds = 0;
    m_result.engagement.clear();
    for (int index = 0; index < steps; ++index) {
        const double duration = timedStep();
        noteFirstStep(duration);
        keepMost(m_result.engagement, m_models.own().techniques.counters());
        seconds += duration;
    }
    m_listener.stepTimed(m_step - 1, seconds / steps);
    if (m_instruments.measuresTime())
        m_result.stepSeconds.push_back(seconds / steps);
}

void TrialMeasurement::judge()
{
    if (!m_trial.device.computes())
        return;
    m_result.warmupSeconds = m_steadyState.seconds();
    m_result.isSteady = m_steadyState.verdict(m_result.stepSeconds);
    m_result.objections = m_steadyState.objections(m_result.stepSeconds);
}

void TrialMeasurement::noteFirstStep(double duration)
{
    if (m_step != 1)
        return;
    m_result.memory.firstStepPeak = m_ledger.spanPeak();
    if (m_trial.device.computes())
        m_result.firstStepSeconds = duration;
}

void TrialMeasurement::readMemory()
{
    protocol::RepeatMemory& memory = m_result.memory;
    memory.peak = m_ledger.spanPeak();
    memory.phasePeaks = m_ledger.phasePeaks();
    memory.phasePeaks.erase("load"); // memory between phases is credited to the phase around them
    memory.wholeRunPeak = m_ledger.wholeRunPeak();
    memory.resting = m_instruments.current();
    memory.allocRetries = m_instruments.allocRetries();
    m_result.effective = m_models.own().techniques.effective();
}

// For training loops that clear gradients at the end of a step. Runs after the trace, in which kept gradients are live
// as in every step; so what gradients held is taken off what rested before, and nothing else of what traced steps
// leave.
void TrialMeasurement::readCleared()
{
    const protocol::MemoryFigures before = m_instruments.current();
    training::clearGradients(m_runner->parameters(), config::GradientClearing::SetToNone);
    const protocol::MemoryFigures after = m_instruments.current();
    protocol::MemoryFigures& cleared = m_result.memory.restingCleared;
    cleared = m_result.memory.resting;
    cleared.allocated = lessWhatWent(cleared.allocated, before.allocated, after.allocated);
    cleared.requested = lessWhatWent(cleared.requested, before.requested, after.requested);
    cleared.hostRss = lessWhatWent(cleared.hostRss, before.hostRss, after.hostRss);
}

// Uses one more step, as hooks on every saved tensor must not run in a timed one. Weights and the batch exist anyway.
// Where that is known, the step is repeated all the same: it may be the one that finds no memory.
void TrialMeasurement::countSavedTensors()
{
    if (m_trial.configuration.workload.step == config::StepKind::Inference)
        return;
    if (m_savedForBackward && repeatStep()) {
        m_result.memory.savedForBackward = m_savedForBackward;
        return;
    }
    const std::vector<at::Tensor> except = weightsAndBatch();
    tensor::SavedTensorCounter counter;
    Bytes held = 0;
    const PhaseLedger::EndListening listening(m_ledger, [&](const std::string& phase, std::int64_t) {
        if (phase == "forward")
            held = counter.heldBytes(except);
    });
    const tensor::SavedTensorHookScope hooks(counter);
    step();
    m_result.memory.savedForBackward = held;
}

void TrialMeasurement::compareWithBaseline()
{
    if (m_comparison == Comparison::Off || !m_trial.device.computes() || config::isBaseline(m_trial.configuration))
        return;
    const training::PhaseScope phase(m_ledger, "compare", 0);
    forgetMeasurement();
    throwIfCancelled();
    const models::Inputs inputs = makeInputs();
    BaselineComparison comparison(m_trial, inputs, m_instruments);
    const FirstStep own = comparison.stepOf(m_models.model(), m_models.own().techniques);
    m_models.drop();
    throwIfCancelled();
    if (const auto ending = catchTrialStop([&] { m_result.numerics = comparison.withBaseline(own); }))
        m_result.diagnostics.push_back("no comparison with the baseline, which does not fit: " + ending->reason);
}

// The comparison needs the initial model: training has changed the weights, and other live memory would count against
// the comparison.
void TrialMeasurement::forgetMeasurement()
{
    training::clearGradients(m_runner->parameters(), config::GradientClearing::SetToNone);
    m_runner.reset();
    m_models.dropSecond();
    m_baselineOutput.reset();
    if (m_trial.configuration.workload.step == config::StepKind::Train)
        m_models.reload();
}

void TrialMeasurement::throwIfCancelled() const
{
    if (m_listener.isCancelled())
        throw Cancelled{};
}

} // namespace headroom::collectors
