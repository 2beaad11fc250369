// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/Instruments.h"
#include "profiling/trace/PhaseSpan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headroom::collectors {

/// Keeps the peaks of a trial: of each phase, of a span of steps, and of the whole run.
///
/// Devices report their peak since the last reset, so every phase boundary reads it, credits it to the phase that ran
/// and to everything around it, and resets.
class PhaseLedger final : public training::StepObserver {
public:
    using PhaseListener = std::function<void(const std::string& phase, std::int64_t step)>;
    using SpanListener = std::function<void(const trace::PhaseSpan&)>;

    explicit PhaseLedger(Instruments& instruments);

    void phaseBegins(const std::string& phase, std::int64_t step) override;
    void phaseEnds(const std::string& phase, std::int64_t step) override;

    /// Begins a new span: `spanPeak` and `phasePeaks` cover what happens from here on.
    void beginSpan();
    protocol::MemoryFigures spanPeak();
    /// The span's peak of the allocator alone: cheap enough for every step.
    protocol::MemoryFigures allocatorPeak();
    const std::map<std::string, protocol::MemoryFigures>& phasePeaks() const { return m_phasePeaks; }
    protocol::MemoryFigures wholeRunPeak();

    /// The running phase, or the one in which an exception was thrown; "load" before the first one.
    const std::string& currentPhase() const { return m_failedPhase.empty() ? m_phase : m_failedPhase; }

    /// The exception that ended a phase did not end the trial.
    void forgetFailure() { m_failedPhase.clear(); }

    void setPhaseListener(PhaseListener listener) { m_phaseListener = std::move(listener); }
    /// During its lifetime `listener` is called when a phase ends, before any of its peaks are read; used for
    /// inspection in an untimed step. Only one may exist at a time.
    class EndListening {
    public:
        EndListening(PhaseLedger& ledger, PhaseListener listener)
            : m_ledger(ledger)
        {
            m_ledger.m_endListener = std::move(listener);
        }
        ~EndListening() { m_ledger.m_endListener = nullptr; }
        EndListening(const EndListening&) = delete;
        EndListening& operator=(const EndListening&) = delete;

    private:
        PhaseLedger& m_ledger;
    };
    void setSpanListener(SpanListener listener) { m_spanListener = std::move(listener); }

private:
    void credit();
    void creditSpan();

    Instruments& m_instruments;
    std::string m_phase = "load";
    std::string m_failedPhase;
    std::vector<std::string> m_outerPhases;
    std::vector<std::int64_t> m_beginNs;
    protocol::MemoryFigures m_spanPeak;
    protocol::MemoryFigures m_wholeRunPeak;
    std::map<std::string, protocol::MemoryFigures> m_phasePeaks;
    PhaseListener m_phaseListener;
    PhaseListener m_endListener;
    SpanListener m_spanListener;
};

} // namespace headroom::collectors
