// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/StoredResults.h"

#include "experiments/results/MergedRepeats.h"
#include "experiments/verdict/Plausibility.h"

#include <iterator>
#include <utility>

namespace headroom::experiments {
namespace {

ResultsDocument documentOf(const StoredExperiment& experiment, SweepResults results)
{
    ResultsDocument document;
    document.experiment = experiment.row.name;
    document.environment = experiment.environment;
    document.summary = summaryOf(experiment, results);
    document.trials.reserve(results.size());
    for (auto& result : results)
        (result->outcome == Outcome::NotRun ? document.notRun : document.trials).push_back(std::move(*result));
    return document;
}

} // namespace

StoredResults::StoredResults(std::string experiment, std::size_t trials, DeviceFit& deviceFit)
    : m_experiment(std::move(experiment))
    , m_deviceFit(deviceFit)
{
    m_results.reserve(trials);
}

void StoredResults::add(const StoredTrial& trial)
{
    const auto fits = [&](const auto& planned, const auto& memory) { return m_deviceFit.fitsIfKnown(planned, memory); };
    TrialResult result = trial.isReached() ? trialResult(m_experiment, trial.planned, trial.results(), fits)
                                           : notRunResult(m_experiment, trial.planned);
    if (trial.isReached())
        result.errorBound = m_deviceFit.errorBound(result);
    m_pool.share(result);
    m_results.push_back(std::move(result));
}

SweepResults StoredResults::take()
{
    applyPlausibility(m_results, [&](const std::string& device) {
        const bool isKnown = m_deviceFit.knows(config::parseDevice(device, "device.name"));
        return isKnown ? m_deviceFit.peakFlops(device) : std::nullopt;
    });
    return std::move(m_results);
}

RunSummary countedSummary(const std::string& experiment, const SweepResults& results)
{
    RunSummary summary;
    summary.experiment = experiment;
    summary.trials = std::ssize(results);
    summary.flags = raisedFlags(results);
    for (const auto& result : results)
        if (result->outcome == Outcome::NotRun)
            ++summary.notRun;
        else
            ++summary.outcomes[result->outcome];
    return summary;
}

// The counts are those of the trials in the document, as a run that was interrupted also counted the trial that it gave
// up, of which nothing is stored.
OrderedJson summaryOf(const StoredExperiment& experiment, const SweepResults& results)
{
    OrderedJson summary = toJson(countedSummary(experiment.row.name, results));
    const OrderedJson stored = experiment.summary.is_null() ? OrderedJson::object() : experiment.summary;
    for (const char* key : {"interrupted", "wall_seconds", "exit_code", "budgets"})
        summary[key] = stored.value(key, OrderedJson(nullptr));
    return summary;
}

ResultsDocument resultsOf(const StoredExperiment& experiment, DeviceFit& deviceFit)
{
    StoredResults results(experiment.row.name, experiment.trials.size(), deviceFit);
    for (const StoredTrial& trial : experiment.trials)
        results.add(trial);
    return documentOf(experiment, results.take());
}

ResultsDocument readResults(store::Workspace& workspace, const store::ExperimentRow& row, DeviceFit& deviceFit)
{
    StoredResults results(row.name, workspace.trialCount(row.id), deviceFit);
    const StoredExperiment experiment =
        readExperiment(workspace, row, [&](const StoredTrial& trial) { results.add(trial); });
    return documentOf(experiment, results.take());
}

} // namespace headroom::experiments
