// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/TimelineReader.h"

#include "experiments/report/reading/TracedRepeat.h"
#include "experiments/report/reading/WitnessTracks.h"

#include <cctype>
#include <optional>

namespace headroom::report {

using namespace experiments;

namespace {

// More than a report's drawing has pixels for.
constexpr std::size_t kBuckets = 720;

std::string inSentenceCase(std::string name)
{
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

figures::MemorySeries counterSeries(
    const store::Workspace& workspace, const TracedRepeat& traced, trace::Counter counter)
{
    const store::TrackCounter of{traced.repeat, traced.mainTrack().track, counter};
    figures::MemorySeries series = readSeries(workspace, traced, of, traced.whole(), kBuckets);
    series.peak = readPeak(workspace, traced, of, traced.ownSteps());
    series.largest = readPeak(workspace, traced, of, traced.whole());
    return series;
}

figures::TimelineInput timelineOf(store::Workspace& workspace, const StoredTrial& trial, const TracedRepeat& traced)
{
    figures::TimelineInput input;
    input.title = trial.planned.label;
    input.id = trial.planned.trialId;
    const bool isSimulated = trial.planned.trial.device.isSimulated();
    input.provenance = isSimulated ? figures::Provenance::Predicted : figures::Provenance::Measured;
    input.phases = traced.phases;
    input.endNs = traced.lengthNs;
    input.series.push_back(counterSeries(workspace, traced, trace::Counter::Allocated));
    const std::string& track = traced.mainTrack().track;
    input.categories = readCategories(workspace, traced, track, traced.whole(), kBuckets);
    if (!input.categories.empty())
        input.series.front().bins = binsOf(input.categories, traced.whole());
    input.peakCategories = readCategoriesAt(workspace, traced, track, input.series.front().peak->timeNs);
    input.losses = traced.losses;
    const auto reserved = counterSeries(workspace, traced, trace::Counter::Reserved);
    if (isUsed(reserved))
        input.series.push_back(reserved);
    return input;
}

std::vector<figures::Figure> witnessFigures(
    const store::Workspace& workspace, const StoredTrial& trial, const TracedRepeat& traced)
{
    std::vector<figures::Figure> figures;
    for (const WitnessTrack& track : readWitnessTracks(workspace, traced))
        figures.push_back(witnessFigure(
            track, {inSentenceCase(titleOf(track)), trial.planned.trialId, traced.whole(), traced.lengthNs, kBuckets}));
    return figures;
}

std::optional<TracedRepeat> firstTracedRepeat(store::Workspace& workspace, const StoredTrial& trial)
{
    for (const StoredRepeat& repeat : trial.repeats)
        if (auto traced = readTracedRepeat(workspace, repeat.id))
            return traced;
    return std::nullopt;
}

} // namespace

TracedFigures readTimelines(store::Workspace& workspace, const StoredExperiment& experiment)
{
    TracedFigures read;
    for (const StoredTrial& trial : experiment.trials) {
        const auto traced = firstTracedRepeat(workspace, trial);
        if (!traced)
            continue;
        read.timelines.push_back(timelineOf(workspace, trial, *traced));
        if (auto figures = witnessFigures(workspace, trial, *traced); !figures.empty())
            read.witnesses.emplace(trial.planned.trialId, std::move(figures));
    }
    return read;
}

} // namespace headroom::report
