// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TimelineReader.h"

#include <algorithm>
#include <optional>

namespace headroom::report {

using namespace experiments;

namespace {

// More than a report's drawing has pixels for.
constexpr std::size_t kBuckets = 720;

struct TracedRepeat {
    std::int64_t repeat = 0;
    store::TrackRow track;
};

// The device's own track where there are several.
std::optional<TracedRepeat> tracedRepeat(const store::Workspace& workspace, const StoredTrial& trial)
{
    for (const StoredRepeat& repeat : trial.repeats) {
        const std::vector<store::TrackRow> tracks = workspace.trace().tracks(repeat.id);
        if (tracks.empty())
            continue;
        const auto device = std::find_if(
            tracks.begin(), tracks.end(), [](const store::TrackRow& track) { return track.track == "device"; });
        return TracedRepeat{repeat.id, device == tracks.end() ? tracks.front() : *device};
    }
    return std::nullopt;
}

// The stretch of time that the trace covers. A measured repeat is traced after its timed steps only.
struct Window {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
};

Window windowOf(const TracedRepeat& traced, const std::vector<trace::PhaseSpan>& phases)
{
    Window window{traced.track.firstNs, traced.track.lastNs + 1};
    for (const trace::PhaseSpan& phase : phases) {
        window.beginNs = std::min(window.beginNs, phase.beginNs);
        window.endNs = std::max(window.endNs, phase.endNs);
    }
    return window;
}

figures::MemorySeries seriesOf(const store::Workspace& workspace, const TracedRepeat& traced, const Window& window,
    trace::Counter counter, const char* name)
{
    figures::MemorySeries series{name, {}};
    const auto buckets =
        workspace.timeline(traced.repeat, traced.track.track, counter, window.beginNs, window.endNs, kBuckets);
    for (const trace::Bucket& bucket : buckets)
        series.bins.push_back({std::max<std::int64_t>(bucket.beginNs - window.beginNs, 0), bucket.min, bucket.max});
    return series;
}

bool isUsed(const figures::MemorySeries& series)
{
    return std::any_of(series.bins.begin(), series.bins.end(), [](const auto& bin) { return bin.max > 0; });
}

figures::TimelineInput timelineOf(store::Workspace& workspace, const StoredTrial& trial, const TracedRepeat& traced)
{
    figures::TimelineInput input;
    input.title = trial.planned.label;
    input.id = trial.planned.trialId;
    const bool isSimulated = trial.planned.trial.device.isSimulated();
    input.provenance = isSimulated ? figures::Provenance::Predicted : figures::Provenance::Measured;
    input.phases = workspace.phases(traced.repeat);
    const Window window = windowOf(traced, input.phases);
    for (trace::PhaseSpan& phase : input.phases) {
        phase.beginNs -= window.beginNs;
        phase.endNs -= window.beginNs;
    }
    input.endNs = window.endNs - window.beginNs;
    input.series.push_back(seriesOf(workspace, traced, window, trace::Counter::Allocated, "allocated"));
    const auto reserved = seriesOf(workspace, traced, window, trace::Counter::Reserved, "reserved");
    if (isUsed(reserved))
        input.series.push_back(reserved);
    return input;
}

} // namespace

std::vector<figures::TimelineInput> readTimelines(store::Workspace& workspace, const StoredExperiment& experiment)
{
    std::vector<figures::TimelineInput> timelines;
    for (const StoredTrial& trial : experiment.trials)
        if (const auto traced = tracedRepeat(workspace, trial))
            timelines.push_back(timelineOf(workspace, trial, *traced));
    return timelines;
}

} // namespace headroom::report
