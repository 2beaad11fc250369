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

figures::MemorySeries seriesOf(const store::Workspace& workspace, const TracedRepeat& traced, trace::Counter counter,
    std::int64_t endNs, const char* name)
{
    figures::MemorySeries series{name, {}};
    const auto buckets =
        workspace.timeline(traced.repeat, traced.track.track, counter, traced.track.firstNs, endNs, kBuckets);
    for (const trace::Bucket& bucket : buckets)
        series.bins.push_back({std::max(bucket.beginNs, traced.track.firstNs), bucket.min, bucket.max});
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
    input.endNs = traced.track.lastNs + 1;
    for (const trace::PhaseSpan& phase : input.phases)
        input.endNs = std::max(input.endNs, phase.endNs);
    input.series.push_back(seriesOf(workspace, traced, trace::Counter::Allocated, input.endNs, "allocated"));
    const auto reserved = seriesOf(workspace, traced, trace::Counter::Reserved, input.endNs, "reserved");
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
