// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/SeveralExperiments.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace headroom::report {
namespace {

// "ltx", or "ltx (2026-03-01 12:30 UTC)", or "ltx (number 5)": as much as tells it from the others.
std::string distinctTitle(const ReportContent& content, const std::vector<ReportContent>& all)
{
    const auto alike = [&](const auto& isAlike) { return std::ranges::count_if(all, isAlike) > 1; };
    if (!alike([&](const ReportContent& other) { return other.experiment == content.experiment; }))
        return content.experiment;
    if (!alike([&](const ReportContent& other) {
            return other.experiment == content.experiment && other.startedAt == content.startedAt;
        }))
        return content.experiment + " (" + content.startedAt + ")";
    return content.experiment + " (number " + std::to_string(content.number) + ")";
}

void addTrials(ReportContent& whole, const ReportContent& part, const std::string& title, std::set<std::string>& ids)
{
    for (ReportTrial trial : part.trials) {
        trial.source = TrialSource{part.number, title, trial.id()};
        if (!ids.insert(trial.id()).second) {
            trial.result.trialId += "@" + std::to_string(part.number);
            ids.insert(trial.id());
        }
        whole.trials.push_back(std::move(trial));
    }
}

// What only one of the experiments has to say is left out, as it is not about the others.
void addRest(ReportContent& whole, ReportContent part)
{
    if (part.task != whole.task)
        whole.task.clear();
    whole.usableBytes.merge(part.usableBytes);
    std::ranges::move(part.remarks, std::back_inserter(whole.remarks));
    std::ranges::move(part.environments, std::back_inserter(whole.environments));
    std::ranges::move(part.timelines, std::back_inserter(whole.timelines));
    whole.witnesses.merge(part.witnesses);
}

} // namespace

ReportContent together(std::vector<ReportContent> experiments)
{
    if (experiments.size() == 1)
        return std::move(experiments.front());
    ReportContent whole = experiments.front();
    whole.trials.clear();
    whole.title.clear();
    whole.description.clear();
    whole.experiment.clear();
    std::set<std::string> ids;
    for (const ReportContent& part : experiments) {
        const std::string title = distinctTitle(part, experiments);
        whole.experiment += (whole.experiment.empty() ? "" : ", ") + title;
        addTrials(whole, part, title, ids);
    }
    for (std::size_t i = 1; i < experiments.size(); ++i)
        addRest(whole, std::move(experiments[i]));
    return whole;
}

} // namespace headroom::report
