// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/TraceAnswer.h"

#include "core/base/Error.h"
#include "profiling/store/traces/TraceContents.h"
#include "profiling/trace/PhaseSpan.h"
#include "profiling/trace/peaks/UnusedMemory.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::report {
namespace {

constexpr std::size_t kUnusedBuckets = 240;

std::optional<trace::PhaseSpan> phaseAt(const TracedRepeat& traced, std::int64_t timeNs)
{
    const trace::PhaseSpan* phase = trace::phaseAt(traced.phases, timeNs);
    return phase == nullptr ? std::nullopt : std::optional(*phase);
}

std::vector<trace::PhaseSpan> storedPhases(const TracedRepeat& traced)
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
        , m_stored(storedPhases(traced))
    {
    }

    TraceAnswer read(const TraceQuestion& question)
    {
        m_answer.track = m_of.track;
        m_answer.owners = m_workspace.trace().owners(m_traced.repeat);
        readPeaks();
        readInstant(question.timeNs);
        readWhole();
        readFragmentation();
        m_answer.witnesses = readWitnesses(m_workspace, m_traced, question.deviceId, m_answer.timeNs);
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
        m_answer.holdings = timeNs
            ? *findHoldingsAt(m_workspace.trace(), m_of, m_traced.originNs + *timeNs, m_stored, {})
            : *findHoldings(m_workspace.trace(), m_of, asStored(m_answer.peak), m_stored, {});
        m_answer.holdings.timeNs = m_answer.timeNs;
        for (trace::Holding& part : m_answer.holdings.parts)
            if (part.phase)
                moveTo(m_traced.originNs, *part.phase);
        m_answer.categories = trace::categoriesOf(m_answer.holdings, m_answer.owners);
    }

    // Everything that takes the whole trace, in one pass.
    void readWhole()
    {
        const figures::TimeWindow steps = m_traced.ownSteps();
        trace::PhaseContents phases(m_stored, m_answer.owners);
        trace::TechniqueRegions regions(m_answer.owners);
        trace::UnusedMemory unused(m_traced.originNs, m_traced.originNs + m_traced.lengthNs, kUnusedBuckets);
        trace::UnusedMemory unusedInSteps(m_traced.originNs + steps.beginNs, m_traced.originNs + steps.endNs, 1);
        m_workspace.trace().eachBlock(m_of.repeat, m_of.track,
            [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
                phases.visit(header, events);
                unused.visit(header, events);
                unusedInSteps.visit(header, events);
                visitEvents(header.before, events, regions);
            });
        readPhases(phases.take());
        readRegions(regions.take());
        if (m_answer.reservedPeak)
            m_answer.unused =
                UnusedAnswer{.most = sinceOrigin(unusedInSteps.peak()), .overTime = sinceOrigin(unused.take())};
    }

    void visitEvents(
        trace::MemoryCounters counters, std::span<const trace::AllocatorEvent> events, trace::TechniqueRegions& regions)
    {
        for (const trace::AllocatorEvent& event : events) {
            counters.apply(event);
            regions.apply(event, counters.allocated);
            if (event.action != trace::Action::OutOfMemory)
                continue;
            m_answer.outOfMemory.push_back(event);
            m_answer.outOfMemory.back().timeNs -= m_traced.originNs;
        }
    }

    figures::MemoryPeak sinceOrigin(const trace::Peak& peak) const
    {
        return {peak.bytes, peak.timeNs - m_traced.originNs};
    }

    std::vector<trace::Bucket> sinceOrigin(std::vector<trace::Bucket> buckets) const
    {
        for (trace::Bucket& bucket : buckets) {
            bucket.beginNs -= m_traced.originNs;
            bucket.endNs -= m_traced.originNs;
        }
        return buckets;
    }

    void readFragmentation()
    {
        if (!m_answer.unused)
            return;
        const store::TrackCounter reserved{m_of.repeat, m_of.track, trace::Counter::Reserved};
        m_answer.unused->atInstant = m_answer.isAtPeak()
            ? *findFragmentation(m_workspace.trace(), m_of, asStored(m_answer.peak), {})
            : *findFragmentationAt(m_workspace.trace(), m_of, m_traced.originNs + m_answer.timeNs, {});
        m_answer.unused->atReservedPeak =
            *findFragmentation(m_workspace.trace(), reserved, asStored(*m_answer.reservedPeak), {});
    }

    trace::Peak asStored(const figures::MemoryPeak& peak) const
    {
        return {peak.bytes, m_traced.originNs + peak.timeNs};
    }

    void readRegions(std::map<std::string, trace::TechniqueRegion> regions)
    {
        for (auto& [technique, region] : regions)
            for (auto* peak : {&region.ownHighest, &region.moduleHighest})
                if (*peak)
                    (*peak)->timeNs -= m_traced.originNs;
        m_answer.regions = std::move(regions);
    }

    void readPhases(std::vector<trace::PhaseContent> contents)
    {
        for (trace::PhaseContent& content : contents) {
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
    const store::Workspace& workspace, const TracedRepeat& traced, const TraceQuestion& question)
{
    return AnswerReader(workspace, traced).read(question);
}

trace::PeakProfile profileOf(const TraceAnswer& answer)
{
    trace::PeakProfile profile{.totalBytes = answer.holdings.counters.allocated,
        .phase = answer.phase ? answer.phase->name : "",
        .shares = trace::sharesOf(answer.holdings, answer.owners)};
    for (const trace::PhaseContent& content : answer.phases)
        profile.phases[content.phase.name] = content.categories;
    return profile;
}

} // namespace headroom::report
