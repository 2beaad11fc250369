// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TraceAnswer.h"

#include "core/config/Error.h"
#include "profiling/store/TraceContents.h"
#include "profiling/trace/PhasePeaks.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::report {
namespace {

std::optional<trace::PhaseSpan> phaseAt(const TracedRepeat& traced, std::int64_t timeNs)
{
    const trace::PhaseSpan* phase = trace::phaseAt(traced.phases, timeNs);
    return phase == nullptr ? std::nullopt : std::optional(*phase);
}

std::vector<trace::PhaseSpan> asStored(const TracedRepeat& traced)
{
    std::vector<trace::PhaseSpan> phases = traced.phases;
    for (trace::PhaseSpan& phase : phases) {
        phase.beginNs += traced.originNs;
        phase.endNs += traced.originNs;
    }
    return phases;
}

void moveTo(std::int64_t originNs, trace::PhaseSpan& phase)
{
    phase.beginNs -= originNs;
    phase.endNs -= originNs;
}

void refuseOutside(const TracedRepeat& traced, std::int64_t timeNs)
{
    if (timeNs < 0 || timeNs >= traced.lengthNs)
        throw UsageError(fmt::format("found {:.9g} s, where the trace has nothing", static_cast<double>(timeNs) / 1e9),
            "--at", fmt::format("peak, or 0 to {:.9g} s", static_cast<double>(traced.lengthNs) / 1e9));
}

/// Reads one answer after the other from the store, whose time axis is another one.
class AnswerReader {
public:
    AnswerReader(const store::Workspace& workspace, const TracedRepeat& traced)
        : m_workspace(workspace)
        , m_traced(traced)
        , m_of{traced.repeat, traced.mainTrack().track, trace::Counter::Allocated}
        , m_stored(asStored(traced))
    {
    }

    TraceAnswer read(const std::optional<std::int64_t>& timeNs)
    {
        m_answer.track = m_of.track;
        m_answer.owners = m_workspace.trace().owners(m_traced.repeat);
        readPeaks();
        readInstant(timeNs);
        readPhases();
        return std::move(m_answer);
    }

private:
    void readPeaks()
    {
        m_answer.peak = readPeak(m_workspace, m_traced, m_of, m_traced.ownSteps());
        m_answer.peakPhase = phaseAt(m_traced, m_answer.peak.timeNs);
        const store::TrackCounter reserved{m_of.repeat, m_of.track, trace::Counter::Reserved};
        const figures::MemoryPeak peak = readPeak(m_workspace, m_traced, reserved, m_traced.ownSteps());
        if (peak.bytes == 0)
            return;
        m_answer.reservedPeak = peak;
        m_answer.reservedPeakPhase = phaseAt(m_traced, peak.timeNs);
    }

    void readInstant(const std::optional<std::int64_t>& timeNs)
    {
        if (timeNs)
            refuseOutside(m_traced, *timeNs);
        m_answer.timeNs = timeNs.value_or(m_answer.peak.timeNs);
        m_answer.phase = phaseAt(m_traced, m_answer.timeNs);
        const std::int64_t stored = m_traced.originNs + m_answer.timeNs;
        const trace::Peak peak{m_answer.peak.bytes, stored};
        m_answer.holdings = *(timeNs ? findHoldingsAt(m_workspace.trace(), m_of, stored, m_stored, {})
                                     : findHoldings(m_workspace.trace(), m_of, peak, m_stored, {}));
        m_answer.holdings.timeNs = m_answer.timeNs;
        for (trace::Holding& part : m_answer.holdings.parts)
            if (part.phase)
                moveTo(m_traced.originNs, *part.phase);
        m_answer.categories = trace::categoriesOf(m_answer.holdings, m_answer.owners);
    }

    void readPhases()
    {
        auto contents = findPhaseContents(m_workspace.trace(), m_of, m_stored, m_answer.owners, {});
        for (trace::PhaseContent& content : *contents) {
            moveTo(m_traced.originNs, content.phase);
            content.allocated.timeNs -= m_traced.originNs;
            keepLargest(content);
        }
    }

    void keepLargest(const trace::PhaseContent& content)
    {
        const auto known = std::ranges::find(
            m_answer.phases, content.phase.name, [](const trace::PhaseContent& other) { return other.phase.name; });
        if (known == m_answer.phases.end())
            m_answer.phases.push_back(content);
        else if (content.allocated.bytes > known->allocated.bytes)
            *known = content;
    }

    const store::Workspace& m_workspace;
    const TracedRepeat& m_traced;
    const store::TrackCounter m_of;
    const std::vector<trace::PhaseSpan> m_stored;
    TraceAnswer m_answer;
};

} // namespace

TraceAnswer readTraceAnswer(
    const store::Workspace& workspace, const TracedRepeat& traced, const std::optional<std::int64_t>& timeNs)
{
    return AnswerReader(workspace, traced).read(timeNs);
}

} // namespace headroom::report
