// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/protocol/RepeatResult.h"
#include "core/techniques/stack/BlockAccounts.h"
#include "core/training/StepRunner.h"
#include "profiling/measurement/PhaseLedger.h"
#include "profiling/measurement/SteadyState.h"
#include "profiling/measurement/TracePass.h"
#include "profiling/measurement/TrialModels.h"
#include "profiling/trace/DeviceRecords.h"

#include <memory>

namespace headroom::collectors {

/// Receives the progress of a trial. Called on the thread of the trial.
class MeasurementListener {
public:
    virtual ~MeasurementListener() = default;
    virtual void phaseBegan(const std::string& phase, std::int64_t step) = 0;
    virtual void stepTimed(std::int64_t step, double seconds) = 0;
    /// True when the trial should end between two steps.
    virtual bool isCancelled() = 0;
};

/// Where the trace pass writes; see TraceRecorder.
class TraceSink {
public:
    virtual ~TraceSink() = default;
    virtual void event(const trace::AllocatorEvent& event) = 0;
    virtual void phase(const trace::PhaseSpan& span) = 0;
    /// Before the first event that has this owner.
    virtual void owner(trace::OwnerId id, const trace::MemoryOwner& owner) = 0;
    /// Records of driver, device and host, in the order of arrival.
    virtual void records(const trace::DeviceRecords& records) = 0;
    /// What the trace lacks, as a sentence: its sums are then lower bounds.
    virtual void lost(const std::string& what) = 0;
};

/// Whether more steps follow the measurement: the trace of a real device, bytes saved for backward, the comparison.
enum class Diagnostics { Off, On };

/// Which of the instruments' shorter ways may be taken, if there are any. Steps: for steps that repeat the one before.
/// On: for blocks that are alike as well.
enum class Shortcuts { Off, Steps, On };

/// Whether the values that a trial computes are compared with those of its baseline.
enum class Comparison { Off, WithBaseline };

/// One measured repeat of one trial: build, warm up, time, read the memory, trace, compare.
///
/// Protocol: the whole step is warmed up in this process with the trial's own shapes and techniques until it is steady
/// (SteadyState); peaks are reset after warm-up; timed steps are never traced (the trace is one more step); the
/// comparison with the baseline comes last, from fresh weights, and does not affect the figures. On a simulated device
/// time comes from the cost model and every step is equal, so one is timed, and the trace covers the whole run. Out of
/// memory and cancellation are outcomes of the result; errors are thrown.
class TrialMeasurement {
public:
    /// Instruments and listener are borrowed.
    TrialMeasurement(const config::Trial& trial, Instruments& instruments, MeasurementListener& listener);
    ~TrialMeasurement();

    /// The trace pass writes to `sink`; null: no trace.
    void setTraceSink(TraceSink* sink) { m_traceSink = sink; }

    /// Applies to real devices, for configurations with a technique. On by default.
    void setComparison(Comparison comparison) { m_comparison = comparison; }

    /// Off: only peaks, memory between steps, and step times. On by default.
    void setDiagnostics(Diagnostics diagnostics) { m_diagnostics = diagnostics; }

    /// Applies to simulated devices, without a trace. Off by default. With it, `run` may throw that there is no shorter
    /// way (UnlikeBlocks); without diagnostics, counters and texts of techniques are left out of the result.
    void setShortcuts(Shortcuts shortcuts) { m_shortcuts = shortcuts; }

    protocol::RepeatResult run();

private:
    void measure();
    void runDiagnostics();
    void runDiagnostic(const char* what, const std::function<void()>& action);
    void load();
    void loadModels();
    models::Inputs makeInputs() const;
    void runBaseline();
    void warmUpPlain();
    void runPlainSteps();
    void prepare();
    void warmUp();
    void warmUpStep();
    void timeSteps();
    void judge();
    void readMemory();
    void readCleared();
    void countSavedTensors();
    void traceSteps();
    void compareWithBaseline();
    void forgetMeasurement();

    training::StepOutput step();
    training::StepOutput countedStep();
    std::vector<at::Tensor> weightsAndBatch();
    double timedStep();
    bool repeatStep();
    void runStep();
    void startTrace();
    void claimLiving();
    void stopTrace();
    void throwIfCancelled() const;
    void timeSample(int steps);
    void noteFirstStep(double duration);
    void leaveOutCounters();
    void takeShortcut(const RunnableModel& own);

    const config::Trial m_trial;
    Instruments& m_instruments;
    MeasurementListener& m_listener;
    TraceSink* m_traceSink = nullptr;
    Diagnostics m_diagnostics = Diagnostics::On;
    Comparison m_comparison = Comparison::WithBaseline;
    Shortcuts m_shortcuts = Shortcuts::Off;
    PhaseLedger m_ledger;
    SteadyState m_steadyState;
    protocol::RepeatResult m_result;
    at::TensorOptions m_options;
    TrialModels m_models;
    models::Inputs m_inputs; ///< until the runner has them
    at::Tensor m_baselineOutput;
    std::unique_ptr<training::StepRunner> m_runner;
    training::StepShortcut* m_stepShortcut = nullptr; ///< null: every step runs
    std::unique_ptr<TracePass> m_trace; ///< while something is traced
    std::unique_ptr<techniques::BlockAccounts> m_accounts; ///< while something is traced with shortcuts
    std::optional<Bytes> m_savedForBackward; ///< in the last step that ran with them
    std::int64_t m_step = 0;
    bool m_hasWarmedUpPlain = false;
};

} // namespace headroom::collectors
