// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/TracedRepeat.h"

#include <algorithm>
#include <limits>

namespace headroom::report {
namespace {

std::string diagnosticSentence(const store::DiagnosticRow& row)
{
    std::string text = row.message.empty() ? row.kind : row.message;
    if (row.count > 1)
        text += " (" + std::to_string(row.count) + " times)";
    return text.ends_with('.') ? text : text + ".";
}

std::vector<std::string> lossesOf(store::Workspace& workspace, std::int64_t repeat)
{
    std::vector<std::string> losses;
    for (const store::DiagnosticRow& row : workspace.repeatDiagnostics(repeat))
        if (store::isLossOfTrace(row.kind))
            losses.push_back(diagnosticSentence(row));
    return losses;
}

std::int64_t endOfWarmUp(const std::vector<trace::PhaseSpan>& phases)
{
    std::int64_t endNs = std::numeric_limits<std::int64_t>::min();
    for (const trace::PhaseSpan& phase : phases)
        if (phase.name == trace::kWarmUpPhase)
            endNs = std::max(endNs, phase.endNs);
    return endNs;
}

} // namespace

const store::TrackRow& TracedRepeat::mainTrack() const
{
    const auto device = std::ranges::find(tracks, "device", &store::TrackRow::track);
    return device == tracks.end() ? tracks.front() : *device;
}

figures::TimeWindow TracedRepeat::ownSteps() const
{
    std::optional<figures::TimeWindow> window;
    const std::int64_t warmNs = endOfWarmUp(phases);
    for (const trace::PhaseSpan& phase : phases)
        if (trace::isOfAStep(phase) && phase.beginNs >= warmNs)
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
    traced.hasOwners = workspace.trace().owners(repeat).all().size() > 1;
    traced.losses = lossesOf(workspace, repeat);
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

std::vector<trace::CategoryBucket> readCategories(const store::Workspace& workspace, const TracedRepeat& traced,
    const std::string& track, const figures::TimeWindow& window, std::size_t buckets)
{
    if (!traced.hasOwners)
        return {};
    auto categories = workspace.trace().categories(
        traced.repeat, track, traced.originNs + window.beginNs, traced.originNs + window.endNs, buckets);
    for (trace::CategoryBucket& bucket : categories) {
        bucket.allocated.beginNs -= traced.originNs;
        bucket.allocated.endNs -= traced.originNs;
    }
    return categories;
}

std::vector<figures::MemoryBin> binsOf(
    const std::vector<trace::CategoryBucket>& buckets, const figures::TimeWindow& window)
{
    std::vector<figures::MemoryBin> bins;
    for (const trace::CategoryBucket& bucket : buckets)
        bins.push_back(
            {std::max(bucket.allocated.beginNs, window.beginNs), bucket.allocated.min, bucket.allocated.max});
    return bins;
}

std::optional<trace::CategoryBytes> readCategoriesAt(
    const store::Workspace& workspace, const TracedRepeat& traced, const std::string& track, std::int64_t timeNs)
{
    const auto buckets = readCategories(workspace, traced, track, {timeNs, timeNs + 1}, 2);
    return buckets.empty() ? std::nullopt : std::optional(buckets.back().atMax);
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
