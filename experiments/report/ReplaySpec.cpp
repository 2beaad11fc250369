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

Ids idsOf(const StoredExperiment& experiment)
{
    Ids ids;
    for (const StoredTrial& trial : experiment.trials)
        ids.insert(trial.planned.trialId);
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

// What is about none of the trials that are left would be refused: values that were skipped stay out, budgets too.
std::string textOfTrials(const StoredExperiment& experiment, const std::vector<Budget>& budgets)
{
    std::vector<PlannedTrial> trials;
    for (const StoredTrial& trial : experiment.trials)
        if (trial.planned.isRunnable())
            trials.push_back(trial.planned);
    if (trials.empty())
        return {};
    ExperimentSpec spec = specOfTrials(experiment.row.name, trials);
    for (const Budget& budget : budgets)
        if (std::any_of(trials.begin(), trials.end(), [&](const auto& trial) { return applies(budget, trial); }))
            spec.budgets.push_back(budget);
    return writeSpec(spec);
}

Ids runnableIds(const StoredExperiment& experiment)
{
    Ids ids;
    for (const StoredTrial& trial : experiment.trials)
        if (trial.planned.isRunnable())
            ids.insert(trial.planned.trialId);
    return ids;
}

bool isRecorded(const StoredExperiment& experiment)
{
    return std::ranges::any_of(experiment.trials,
        [](const StoredTrial& trial) { return trial.planned.trial.configuration.model == config::kRecordingModel; });
}

// Of an exported model that trials ran; empty: all are there.
std::string goneArchive(const StoredExperiment& experiment)
{
    for (const StoredTrial& trial : experiment.trials) {
        const config::Configuration& configuration = trial.planned.trial.configuration;
        if (config::isImportedName(configuration.model) && !config::importedArchiveOf(configuration.model))
            return config::toLabel(configuration.modelFields.at(config::kArchiveField));
    }
    return {};
}

} // namespace

ReplaySpec replaySpec(const StoredExperiment& experiment)
{
    if (isRecorded(experiment))
        return {.toml = {}, .match = ReplayMatch::Recorded};
    const ExperimentSpec spec =
        specFromCanonicalJson(experiment.row.specJson, "experiment " + std::to_string(experiment.row.id));
    const std::string whole = writeSpec(spec);
    if (idsOf(whole) == idsOf(experiment))
        return {whole, ReplayMatch::Whole};
    const std::string selection = textOfTrials(experiment, spec.budgets);
    if (!selection.empty() && idsOf(selection) == runnableIds(experiment))
        return {selection, ReplayMatch::Selection};
    if (const std::string archive = goneArchive(experiment); !archive.empty())
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
    for (const ReportTrial& trial : trials) {
        PlannedTrial& one = planned.emplace_back();
        one.trial = trial.planned;
        one.trialId = trial.id();
        one.label = trial.label();
    }
    return writeSpec(specOfTrials(trials.front().result.experiment, planned));
}

} // namespace headroom::report
