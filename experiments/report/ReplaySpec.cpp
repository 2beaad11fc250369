// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReplaySpec.h"

#include "core/base/Error.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/BudgetMatcher.h"
#include "experiments/sweep/SpecWriter.h"

#include <algorithm>
#include <set>

namespace headroom::report {

using namespace experiments;

namespace {

using Ids = std::set<std::string>;

Ids idsOf(const std::vector<ReportTrial>& trials)
{
    Ids ids;
    for (const ReportTrial& trial : trials)
        ids.insert(trial.id());
    return ids;
}

// Read back from its text, as those who run it will. None where this version refuses the spec, or a model's file is
// gone.
Ids idsOf(const std::string& toml)
{
    Ids ids;
    try {
        for (const PlannedTrial& planned : expand(loadSpecText(toml, "report", {})))
            ids.insert(planned.trialId);
    } catch (const UsageError&) {
        ids.clear();
    } catch (const FileError&) {
        ids.clear();
    }
    return ids;
}

PlannedTrial plannedOf(const ReportTrial& trial)
{
    PlannedTrial planned;
    planned.trial = trial.planned.whole();
    planned.trialId = trial.id();
    planned.label = trial.label();
    return planned;
}

std::vector<PlannedTrial> runnableOf(const std::vector<ReportTrial>& trials)
{
    std::vector<PlannedTrial> runnable;
    for (const ReportTrial& trial : trials)
        if (trial.result.conflicts.empty())
            runnable.push_back(plannedOf(trial));
    return runnable;
}

// What is about none of the trials that are left would be refused: values that were skipped stay out, budgets too.
std::string textOfTrials(
    const std::string& name, const std::vector<PlannedTrial>& trials, const std::vector<Budget>& budgets)
{
    if (trials.empty())
        return {};
    ExperimentSpec spec = specOfTrials(name, trials);
    for (const Budget& budget : budgets)
        if (std::any_of(trials.begin(), trials.end(), [&](const auto& trial) { return applies(budget, trial); }))
            spec.budgets.push_back(budget);
    return writeSpec(spec);
}

Ids idsOf(const std::vector<PlannedTrial>& trials)
{
    Ids ids;
    for (const PlannedTrial& planned : trials)
        ids.insert(planned.trialId);
    return ids;
}

bool isRecorded(const std::vector<ReportTrial>& trials)
{
    return std::ranges::any_of(
        trials, [](const ReportTrial& trial) { return trial.planned.configuration.model == config::kRecordingModel; });
}

// Of an exported model that trials ran; empty: all are there.
std::string goneArchive(const std::vector<ReportTrial>& trials)
{
    for (const ReportTrial& trial : trials) {
        const SharedConfiguration& configuration = trial.planned.configuration;
        if (config::isImportedName(configuration.model) && !config::importedArchiveOf(configuration.model))
            return config::toLabel(configuration.modelFields->at(config::kArchiveField));
    }
    return {};
}

} // namespace

ReplaySpec replaySpec(const store::ExperimentRow& experiment, const std::vector<ReportTrial>& trials)
{
    if (isRecorded(trials))
        return {.toml = {}, .match = ReplayMatch::Recorded};
    const ExperimentSpec spec =
        specFromCanonicalJson(experiment.specJson, "experiment " + std::to_string(experiment.id));
    const std::string whole = writeSpec(spec);
    if (idsOf(whole) == idsOf(trials))
        return {whole, ReplayMatch::Whole};
    const std::vector<PlannedTrial> runnable = runnableOf(trials);
    const std::string selection = textOfTrials(experiment.name, runnable, spec.budgets);
    if (!selection.empty() && idsOf(selection) == idsOf(runnable))
        return {selection, ReplayMatch::Selection};
    if (const std::string archive = goneArchive(trials); !archive.empty())
        return {whole, ReplayMatch::Gone, archive};
    return {whole, ReplayMatch::Changed};
}

std::string replaySpec(const ReportTrial& trial)
{
    return replaySpec(std::vector{trial});
}

std::string replaySpec(const std::vector<ReportTrial>& trials)
{
    std::vector<PlannedTrial> planned;
    for (const ReportTrial& trial : trials)
        planned.push_back(plannedOf(trial));
    return writeSpec(specOfTrials(trials.front().result.experiment, planned));
}

} // namespace headroom::report
