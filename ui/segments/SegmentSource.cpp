// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentSource.h"

#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/store/traces/SegmentHistory.h"
#include "profiling/store/workspace/Workspace.h"
#include "ui/segments/SegmentMoment.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <stop_token>

namespace headroom::ui {

/// Reads the segments of one trace at a time through a connection of its own. Made, used and destroyed on one
/// background thread. Throws the store's errors.
class SegmentArchive {
public:
    /// Reads the trace once, unless it is the one that was read last. Null if a stop was requested.
    SegmentTracePtr open(
        const SegmentSubject& subject, const std::stop_token& stop, const std::function<void(double)>& progress);
    /// Of the opened trace, which is not missing.
    SegmentMomentPtr after(std::uint64_t events);
    /// After all events up to and including a time since the start of the trace.
    SegmentMomentPtr at(std::int64_t timeNs);

private:
    std::string whatIsMissing(const SegmentSubject& subject, std::int64_t& repeat);

    std::optional<store::Workspace> m_workspace;
    std::optional<store::SegmentHistory> m_history;
    SegmentTracePtr m_trace;
};

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

namespace {

// The first job makes the archive; it goes with its connection on the same thread.
SegmentArchive& openedSegments(const std::shared_ptr<std::unique_ptr<SegmentArchive>>& archive)
{
    if (!*archive)
        *archive = std::make_unique<SegmentArchive>();
    return **archive;
}

} // namespace

SegmentSource::SegmentSource(QObject* parent)
    : QObject(parent)
    , m_archive(std::make_shared<std::unique_ptr<SegmentArchive>>())
    , m_progress(std::make_shared<std::atomic<double>>(0))
    , m_jobs(QStringLiteral("segments"))
{
    m_jobs.setCleanup([archive = m_archive] { archive->reset(); });
}

SegmentSource::~SegmentSource() = default;

void SegmentSource::open(const SegmentSubject& subject)
{
    *m_progress = 0;
    m_jobs.runNewest(
        QStringLiteral("open"), this,
        [archive = m_archive, progress = m_progress, subject](const std::stop_token& stop) {
            return openedSegments(archive).open(subject, stop, [&](double share) { *progress = share; });
        },
        [this](const SegmentTracePtr& trace) {
            if (trace)
                Q_EMIT opened(trace);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

// Where another trace has been asked for in the meantime, the moment is of no use any more.
template <typename Read> void SegmentSource::readMoment(const SegmentSubject& subject, Read read)
{
    m_jobs.runNewest(
        QStringLiteral("moment"), this,
        [archive = m_archive, subject, read](const std::stop_token& stop) -> SegmentMomentPtr {
            SegmentArchive& opened = openedSegments(archive);
            const SegmentTracePtr trace = opened.open(subject, stop, {});
            return trace && trace->missing.empty() ? read(opened) : nullptr;
        },
        [this](const SegmentMomentPtr& moment) {
            if (moment)
                Q_EMIT momentRead(moment);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void SegmentSource::readAfter(const SegmentSubject& subject, std::uint64_t events)
{
    readMoment(subject, [events](SegmentArchive& archive) { return archive.after(events); });
}

void SegmentSource::readAt(const SegmentSubject& subject, std::int64_t timeNs)
{
    readMoment(subject, [timeNs](SegmentArchive& archive) { return archive.at(timeNs); });
}

} // namespace headroom::ui
