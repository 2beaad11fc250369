// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/ReportReader.h"

#include "core/base/Error.h"
#include "core/base/ShellWords.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/figures/memory/TimelineFigure.h"
#include "experiments/report/reading/Redaction.h"
#include "experiments/report/reading/TracedRepeat.h"
#include "experiments/report/reading/WitnessTracks.h"
#include "experiments/spec/SpecDocument.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/sweep/TaskText.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

using namespace experiments;

namespace {

/// Timelines of trials, and what witnesses beside the allocator told at the same time.
struct TracedFigures {
    std::vector<figures::TimelineInput> timelines;
    std::map<std::string, std::vector<figures::Figure>> witnesses; ///< by trial id; where something was recorded
};

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
        figures.push_back(witnessFigure(workspace, track,
            {inSentenceCase(titleOf(track)), trial.planned.trialId, traced.whole(), traced.lengthNs, kBuckets}));
    return figures;
}

std::optional<TracedRepeat> firstTracedRepeat(store::Workspace& workspace, const StoredTrial& trial)
{
    for (const StoredRepeat& repeat : trial.repeats)
        if (auto traced = readTracedRepeat(workspace, repeat.id))
            return traced;
    return std::nullopt;
}

/// A timeline for each trial that has a trace: of its first repeat that has one, the device's track, the whole length.
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

std::string timestampText(store::Timestamp time)
{
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

RunState stateOf(const StoredExperiment& experiment)
{
    if (experiment.summary.is_null())
        return RunState::Open;
    return experiment.summary.value("interrupted", false) ? RunState::Interrupted : RunState::Finished;
}

// The text was good when it was run; what a later version makes of it is no reason to give no report.
SpecDocument documentOf(const store::ExperimentRow& row)
{
    try {
        return readSpecDocument(row.specToml, row.name);
    } catch (const UsageError&) {
        return {};
    }
}

std::vector<ReportTrial> trialsOf(const StoredExperiment& experiment, const ResultsDocument& results)
{
    std::vector<ReportTrial> trials;
    auto reached = results.trials.begin();
    auto notRun = results.notRun.begin();
    std::vector<const config::Configuration*> configurations;
    for (const StoredTrial& stored : experiment.trials)
        configurations.push_back(&stored.planned.trial.configuration);
    const std::vector<std::string> labels = experiments::techniqueLabels(configurations);
    auto techniques = labels.begin();
    for (const StoredTrial& stored : experiment.trials)
        trials.push_back({stored.isReached() ? *reached++ : *notRun++, stored.planned.trial,
            static_cast<int>(stored.repeats.size()), stored.expectedRepeats, *techniques++});
    for (ReportTrial& trial : trials) // which techniques a recorded run had is not known
        if (trial.planned.configuration.model == config::kRecordingModel)
            trial.techniques = trial.label();
    return trials;
}

std::vector<Remark> remarksOf(const StoredExperiment& experiment, store::Workspace& workspace)
{
    std::vector<Remark> remarks;
    for (const store::DiagnosticRow& row : experiment.diagnostics) {
        const auto trial = row.trial ? workspace.findTrial(*row.trial) : std::nullopt;
        remarks.push_back(
            {std::string(store::toText(row.severity)), trial ? trial->label : "", row.message, row.count});
    }
    return remarks;
}

void readTimelinesInto(ReportContent& content, store::Workspace& workspace, const StoredExperiment& experiment)
{
    TracedFigures traced = readTimelines(workspace, experiment);
    content.timelines = std::move(traced.timelines);
    content.witnesses = std::move(traced.witnesses);
}

// Why the trials train is no more than a remark: a spec that a later version does not take has none.
std::optional<ImpliedStep> impliedStepOf(const store::ExperimentRow& row)
{
    try {
        return impliedStep(specFromCanonicalJson(row.specJson, "experiment " + std::to_string(row.id)));
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

std::string taskOf(const StoredExperiment& experiment)
{
    std::vector<const config::Trial*> trials;
    for (const StoredTrial& stored : experiment.trials)
        trials.push_back(&stored.planned.trial);
    return taskLine(trials, impliedStepOf(experiment.row));
}

std::map<std::string, Bytes> usableBytesOf(const std::vector<ReportTrial>& trials, DeviceFit& deviceFit)
{
    std::map<std::string, Bytes> found;
    for (const ReportTrial& trial : trials)
        if (const auto usable = deviceFit.usableBytes(trial.planned.device))
            found.emplace(trial.device(), *usable);
    return found;
}

} // namespace

ReportContent readReport(store::Workspace& workspace, const store::ExperimentRow& row, DeviceFit& deviceFit,
    Identity identity, Timelines timelines)
{
    StoredExperiment stored = readExperiment(workspace, row);
    const Redaction redaction(stored);
    if (identity == Identity::Removed)
        stored = redaction.applied(std::move(stored));
    const SpecDocument document = documentOf(row);

    ReportContent content;
    content.number = row.id;
    content.experiment = row.name;
    content.title = document.title;
    content.description = identity == Identity::Shown ? document.description : redaction.text(document.description);
    content.startedAt = timestampText(row.createdAt);
    content.commandLine = shownCommand(stored.row.commandLine);
    content.headroomVersion = row.headroomVersion;
    content.state = stateOf(stored);
    content.results = resultsOf(stored, deviceFit);
    if (identity == Identity::Removed)
        for (auto* results : {&content.results.trials, &content.results.notRun})
            for (experiments::TrialResult& result : *results)
                redaction.apply(result.model);
    content.trials = trialsOf(stored, content.results);
    content.environments = stored.environments;
    content.remarks = remarksOf(stored, workspace);
    if (timelines == Timelines::Read)
        readTimelinesInto(content, workspace, stored);
    content.usableBytes = usableBytesOf(content.trials, deviceFit);
    content.replay = replaySpec(stored);
    content.task = taskOf(stored);
    return content;
}

} // namespace headroom::report
