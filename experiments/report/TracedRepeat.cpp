// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TracedRepeat.h"

#include <algorithm>

namespace headroom::report {

const store::TrackRow& TracedRepeat::mainTrack() const
{
    const auto device = std::ranges::find(tracks, "device", &store::TrackRow::track);
    return device == tracks.end() ? tracks.front() : *device;
}

figures::TimeWindow TracedRepeat::ownSteps() const
{
    std::optional<figures::TimeWindow> window;
    for (const trace::PhaseSpan& phase : phases)
        if (trace::isOfAStep(phase))
            window = window
                ? figures::TimeWindow{std::min(window->beginNs, phase.beginNs), std::max(window->endNs, phase.endNs)}
                : figures::TimeWindow{phase.beginNs, phase.endNs};
    return window.value_or(whole());
}

std::optional<TracedRepeat> readTracedRepeat(store::Workspace& workspace, std::int64_t repeat)
{
    TracedRepeat traced;
    traced.repeat = repeat;
    traced.tracks = workspace.trace().tracks(repeat);
    if (traced.tracks.empty())
        return std::nullopt;
    traced.phases = workspace.phases(repeat);
    traced.originNs = std::ranges::min(traced.tracks, {}, &store::TrackRow::firstNs).firstNs;
    std::int64_t endNs = std::ranges::max(traced.tracks, {}, &store::TrackRow::lastNs).lastNs + 1;
    for (const trace::PhaseSpan& phase : traced.phases) {
        traced.originNs = std::min(traced.originNs, phase.beginNs);
        endNs = std::max(endNs, phase.endNs);
    }
    for (trace::PhaseSpan& phase : traced.phases) {
        phase.beginNs -= traced.originNs;
        phase.endNs -= traced.originNs;
    }
    traced.lengthNs = endNs - traced.originNs;
    return traced;
}

figures::MemorySeries readSeries(const store::Workspace& workspace, const TracedRepeat& traced,
    const store::TrackCounter& of, const figures::TimeWindow& window, std::size_t buckets)
{
    figures::MemorySeries series;
    series.name = trace::counterName(of.counter);
    for (const trace::Bucket& bucket : workspace.timeline(of.repeat, of.track, of.counter,
             traced.originNs + window.beginNs, traced.originNs + window.endNs, buckets))
        series.bins.push_back(
            {std::max<std::int64_t>(bucket.beginNs - traced.originNs, window.beginNs), bucket.min, bucket.max});
    return series;
}

figures::MemoryPeak readPeak(const store::Workspace& workspace, const TracedRepeat& traced,
    const store::TrackCounter& of, const figures::TimeWindow& window)
{
    const trace::Peak peak =
        store::findPeak(workspace.trace(), of, traced.originNs + window.beginNs, traced.originNs + window.endNs);
    return {peak.bytes, peak.timeNs - traced.originNs};
}

bool isUsed(const figures::MemorySeries& series)
{
    return std::ranges::any_of(series.bins, [](const figures::MemoryBin& bin) { return bin.max > 0; });
}

} // namespace headroom::report
