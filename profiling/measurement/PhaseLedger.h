// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/Instruments.h"
#include "profiling/trace/PhaseSpan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headroom::collectors {

/// Keeps the peaks of a trial: of each phase, of a span of steps, of the whole run.
///
/// Devices tell their peak since the last reset, so every boundary of a phase reads it, credits it to the phase that
/// ran and to everything around it, and resets.
class PhaseLedger final : public training::StepObserver {
public:
    using PhaseListener = std::function<void(const std::string& phase, std::int64_t step)>;
    using SpanListener = std::function<void(const trace::PhaseSpan&)>;

    explicit PhaseLedger(Instruments& instruments);

    void phaseBegins(const std::string& phase, std::int64_t step) override;
    void phaseEnds(const std::string& phase, std::int64_t step) override;

    /// Starts a span anew: `spanPeak` and `phasePeaks` tell what happened since.
    void beginSpan();
    protocol::MemoryFigures spanPeak();
    /// The same of the allocator alone: cheap enough for every step.
    protocol::MemoryFigures allocatorPeak();
    const std::map<std::string, protocol::MemoryFigures>& phasePeaks() const { return m_phasePeaks; }
    protocol::MemoryFigures wholeRunPeak();

    /// The phase that runs, or in which an exception was thrown; "load" before the first one.
    const std::string& currentPhase() const { return m_failedPhase.empty() ? m_phase : m_failedPhase; }

    /// An exception that ended a phase was no end of the trial.
    void forgetFailure() { m_failedPhase.clear(); }

    void setPhaseListener(PhaseListener listener) { m_phaseListener = std::move(listener); }
    /// While it lives, `listener` is called when a phase ends, before anything of it is read; for things to look at in
    /// an untimed step. One at a time.
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
