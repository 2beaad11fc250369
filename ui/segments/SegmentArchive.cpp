// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentArchive.h"

#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/reading/TracedRepeat.h"

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr auto kSegmentsNeedTrace =
    "No trace was recorded for this trial. Run it again with tracing on to see its segments.";
constexpr auto kNoSegments =
    "This trace tells of no segments: the allocator takes memory for each block by itself, or the "
    "recording has blocks alone.";

} // namespace

// Finds the repeat, too.
std::string SegmentArchive::whatIsMissing(const SegmentSubject& subject, std::int64_t& repeat)
{
    const auto rows = m_workspace->trials(subject.trial.experiment);
    const auto row = std::ranges::find(rows, subject.trial.trialId, &store::TrialRow::trialId);
    if (row == rows.end())
        return "This trial is not in the workspace any more.";
    for (const store::RepeatRow& stored : m_workspace->repeats(row->id)) {
        const bool isWanted = subject.repeat == 0 || subject.repeat == stored.id;
        if (isWanted && !m_workspace->trace().tracks(stored.id).empty()) {
            repeat = stored.id;
            return {};
        }
    }
    return kSegmentsNeedTrace;
}

SegmentTracePtr SegmentArchive::open(
    const SegmentSubject& subject, const std::stop_token& stop, const std::function<void(double)>& progress)
{
    if (m_trace && m_trace->subject == subject)
        return m_trace;
    m_trace.reset();
    m_history.reset();
    m_workspace.emplace(experiments::openForReading(subject.trial.workspace));
    auto trace = std::make_shared<SegmentTrace>();
    trace->subject = subject;
    std::int64_t repeat = 0;
    trace->missing = whatIsMissing(subject, repeat);
    const auto traced = trace->missing.empty() ? report::readTracedRepeat(*m_workspace, repeat) : std::nullopt;
    if (!traced)
        return m_trace = trace;
    auto history = store::SegmentHistory::read(m_workspace->trace(), repeat, traced->mainTrack().track, stop, progress);
    if (!history)
        return nullptr;
    m_history.emplace(std::move(*history));
    trace->originNs = traced->originNs;
    trace->events = m_history->events();
    trace->eventsAtReservedPeak = m_history->eventsAtReservedPeak();
    trace->failures = m_history->failures();
    trace->owners = m_workspace->trace().owners(repeat);
    trace->phases = traced->phases;
    if (m_history->at(trace->eventsAtReservedPeak).segments.empty())
        trace->missing = kNoSegments;
    return m_trace = trace;
}

SegmentMomentPtr SegmentArchive::after(std::uint64_t events)
{
    auto moment = std::make_shared<SegmentMoment>();
    moment->trace = m_trace;
    moment->state = m_history->at(events);
    moment->sums = trace::sumsOf(moment->state);
    for (const trace::HeldSegment& segment : moment->state.segments) {
        moment->uses.push_back(moment->state.useOf(segment));
        for (const trace::HeldBlock& block : moment->state.blocksIn(segment))
            if (!block.isPending)
                moment->categories.of(m_trace->owners.of(block.owner).category) += block.bytes;
    }
    moment->event = m_history->lastOf(moment->state.events);
    return moment;
}

SegmentMomentPtr SegmentArchive::at(std::int64_t timeNs)
{
    return after(m_history->eventsUntil(m_trace->originNs + timeNs));
}

} // namespace headroom::ui
