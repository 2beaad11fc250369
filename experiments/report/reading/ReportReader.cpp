// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/ReportReader.h"

#include "core/base/Error.h"
#include "core/base/FreedMemory.h"
#include "core/base/ShellWords.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/archive/StoredResults.h"
#include "experiments/figures/memory/TimelineFigure.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/reading/Redaction.h"
#include "experiments/report/reading/TracedRepeat.h"
#include "experiments/report/reading/WitnessTracks.h"
#include "experiments/spec/SpecDocument.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/sweep/TaskText.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::report {

using namespace experiments;

namespace {

// More than a report's drawing has pixels for.
constexpr std::size_t kBuckets = 720;
// Of a report that does not show all of its trials.
constexpr std::size_t kMostTimelines = 64;
constexpr Bytes kMostFreedMemory = 16 * kMiB;

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

figures::TimelineInput timelineOf(store::Workspace& workspace, const ReportTrial& trial, const TracedRepeat& traced)
{
    figures::TimelineInput input;
    input.title = trial.label();
    input.id = trial.id();
    input.provenance = trial.provenance();
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
    const store::Workspace& workspace, const std::string& trial, const TracedRepeat& traced)
{
    std::vector<figures::Figure> figures;
    for (const WitnessTrack& track : readWitnessTracks(workspace, traced))
        figures.push_back(witnessFigure(
            workspace, track, {inSentenceCase(titleOf(track)), trial, traced.whole(), traced.lengthNs, kBuckets}));
    return figures;
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

SettingOf settingsOf(const ReportTrial& trial)
{
    return [&configuration = trial.planned.configuration](
               const std::string& key) -> const config::TechniqueSetting& { return configuration.technique(key); };
}

/// Collects the trials of an experiment as they are read: of each its result and how it was planned, which share what
/// they have alike.
class TrialCollector {
public:
    TrialCollector(const std::string& experiment, std::size_t trials, DeviceFit& deviceFit)
        : m_results(experiment, trials, deviceFit)
    {
        m_planned.reserve(trials);
    }

    void add(const StoredTrial& stored)
    {
        m_results.add(stored);
        m_planned.push_back(
            {m_pool.shared(stored.planned.trial), static_cast<int>(stored.repeats.size()), stored.expectedRepeats});
        for (const StoredRepeat& repeat : stored.repeats)
            m_repeats.emplace(repeat.id, m_planned.size() - 1);
    }

    /// Fills in the summary, too, which counts the results of the whole.
    std::vector<ReportTrial> take(const StoredExperiment& experiment, OrderedJson& summary)
    {
        SweepResults results = m_results.take();
        summary = summaryOf(experiment, results);
        std::vector<ReportTrial> trials;
        trials.reserve(results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            trials.push_back({.result = std::move(*results[i]),
                .planned = std::move(m_planned[i].trial),
                .repeats = m_planned[i].repeats,
                .expectedRepeats = m_planned[i].expectedRepeats});
        nameTechniques(trials);
        return trials;
    }

    /// The repeats that were read, with the places of their trials.
    const std::map<std::int64_t, std::size_t>& repeats() const { return m_repeats; }

private:
    /// How a trial was planned, until its result is complete: an empty result beside it would take as much room.
    struct Planned {
        SharedTrial trial;
        int repeats = 0; ///< that are there
        int expectedRepeats = 1;
    };

    static void nameTechniques(std::vector<ReportTrial>& trials)
    {
        std::vector<SettingOf> settings;
        for (const ReportTrial& trial : trials)
            settings.push_back(settingsOf(trial));
        const std::vector<std::string> labels = techniqueLabels(settings);
        for (std::size_t i = 0; i < trials.size(); ++i) {
            const bool isRecorded = trials[i].planned.configuration.model == config::kRecordingModel;
            trials[i].techniques = isRecorded ? trials[i].label() : labels[i]; // which ones it had is not known
        }
    }

    StoredResults m_results;
    TrialPool m_pool;
    std::vector<Planned> m_planned;
    std::map<std::int64_t, std::size_t> m_repeats;
};

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

// Those of repeats that were read, by the places of their trials; of each trial the first.
std::map<std::size_t, std::int64_t> tracedRepeats(store::Workspace& workspace, const TrialCollector& collector)
{
    std::map<std::size_t, std::int64_t> traced;
    for (const auto& [trial, repeats] : workspace.tracedRepeats())
        for (const std::int64_t repeat : repeats)
            if (const auto known = collector.repeats().find(repeat); known != collector.repeats().end())
                traced.emplace(known->second, repeat);
    return traced;
}

// Where there are very many trials, those of few: each takes a hundred kilobytes.
std::optional<std::unordered_set<std::string>> trialsWithTimeline(const ReportContent& content)
{
    if (content.trials.size() <= kMostRows)
        return std::nullopt;
    return trialsWorthShowing(Comparison(content.trials), kMostTimelines);
}

/// A timeline for each trial that has a trace: of its first repeat that has one, the device's track, the whole length.
void readTimelines(ReportContent& content, store::Workspace& workspace, const TrialCollector& collector)
{
    const auto chosen = trialsWithTimeline(content);
    for (const auto& [place, repeat] : tracedRepeats(workspace, collector)) {
        const ReportTrial& trial = content.trials[place];
        if (chosen && !chosen->contains(trial.id()))
            continue;
        const auto traced = readTracedRepeat(workspace, repeat);
        if (!traced) // dropped meanwhile
            continue;
        content.timelines.push_back(timelineOf(workspace, trial, *traced));
        if (auto figures = witnessFigures(workspace, trial.id(), *traced); !figures.empty())
            content.witnesses.emplace(trial.id(), std::move(figures));
    }
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

std::string taskOf(const std::vector<ReportTrial>& trials, const store::ExperimentRow& row)
{
    std::vector<TaskFacts> facts;
    for (const ReportTrial& trial : trials)
        facts.push_back(
            taskFacts(trial.planned.configuration.model, trial.planned.configuration.workload, settingsOf(trial)));
    return taskLine(facts, impliedStepOf(row));
}

std::map<std::string, Bytes> usableBytesOf(const std::vector<ReportTrial>& trials, DeviceFit& deviceFit)
{
    std::map<std::string, std::optional<Bytes>> asked;
    for (const ReportTrial& trial : trials)
        if (const auto [device, isNew] = asked.emplace(trial.device(), std::nullopt); isNew)
            device->second = deviceFit.usableBytes(trial.planned.device);
    std::map<std::string, Bytes> found;
    for (const auto& [device, usable] : asked)
        if (usable)
            found.emplace(device, *usable);
    return found;
}

} // namespace

ReportContent readReport(store::Workspace& workspace, const store::ExperimentRow& row, DeviceFit& deviceFit,
    Identity identity, Extent extent)
{
    TrialCollector collector(row.name, workspace.trialCount(row.id), deviceFit);
    const auto collect = [&](const StoredTrial& trial) { collector.add(trial); };
    std::optional<Redaction> redaction;
    StoredExperiment stored;
    if (identity == Identity::Shown) {
        stored = readExperiment(workspace, row, collect);
    } else { // which learns names from all trials before it can take them out of any
        stored = readExperiment(workspace, row);
        redaction.emplace(stored);
        stored = redaction->applied(std::move(stored));
        std::ranges::for_each(std::exchange(stored.trials, {}), collect);
    }
    returnFreedMemory(kMostFreedMemory); // rows are many times as large as what is kept of them
    const SpecDocument document = documentOf(row);

    ReportContent content;
    content.number = row.id;
    content.experiment = row.name;
    content.title = document.title;
    content.description = redaction ? redaction->text(document.description) : document.description;
    content.startedAt = timestampText(row.createdAt);
    content.commandLine = shownCommand(stored.row.commandLine);
    content.headroomVersion = row.headroomVersion;
    content.state = stateOf(stored);
    content.environment = stored.environment;
    content.trials = collector.take(stored, content.summary);
    if (redaction)
        for (ReportTrial& trial : content.trials)
            redaction->apply(trial.result.model);
    content.environments = stored.environments;
    content.remarks = remarksOf(stored, workspace);
    content.usableBytes = usableBytesOf(content.trials, deviceFit);
    content.task = taskOf(content.trials, row);
    if (extent == Extent::Whole) {
        readTimelines(content, workspace, collector);
        content.replay = replaySpec(stored.row, content.trials);
    }
    return content;
}

} // namespace headroom::report
