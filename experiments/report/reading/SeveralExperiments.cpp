// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/SeveralExperiments.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace headroom::report {
namespace {

constexpr std::size_t kDayLetters = 10; ///< of "2026-03-01 12:30 UTC"
constexpr std::size_t kTimeLetters = 5;

std::string dayOf(const ReportContent& content)
{
    return content.startedAt.substr(0, kDayLetters);
}

// UTC, as everywhere.
std::string timeOf(const ReportContent& content)
{
    return content.startedAt.size() > kDayLetters ? content.startedAt.substr(kDayLetters + 1, kTimeLetters)
                                                  : std::string();
}

// "ltx", or "ltx (12:30)", "ltx (2026-03-01)", "ltx (2026-03-01 12:30)", "ltx (number 5)": as much as tells it from the
// others, as it is repeated in every row of a table.
std::string distinctTitle(const ReportContent& content, const std::vector<ReportContent>& all)
{
    std::vector<const ReportContent*> namesakes;
    for (const ReportContent& other : all)
        if (other.experiment == content.experiment)
            namesakes.push_back(&other);
    const auto isTheOnly = [&](const auto& wordsOf) {
        return std::ranges::count_if(namesakes, [&](const ReportContent* other) {
            return wordsOf(*other) == wordsOf(content);
        }) == 1;
    };
    const auto moment = [](const ReportContent& other) { return dayOf(other) + " " + timeOf(other); };
    const bool areOfOneDay =
        std::ranges::all_of(namesakes, [&](const ReportContent* other) { return dayOf(*other) == dayOf(content); });
    if (namesakes.size() == 1)
        return content.experiment;
    if (areOfOneDay && isTheOnly(timeOf))
        return content.experiment + " (" + timeOf(content) + ")";
    if (!areOfOneDay && isTheOnly(dayOf))
        return content.experiment + " (" + dayOf(content) + ")";
    if (isTheOnly(moment))
        return content.experiment + " (" + moment(content) + ")";
    return content.experiment + " (number " + std::to_string(content.number) + ")";
}

void addTrials(ReportContent& whole, ReportContent& part, const std::string& title, std::set<std::string>& ids)
{
    for (ReportTrial& trial : part.trials) {
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
    for (ReportContent& part : experiments) {
        const std::string title = distinctTitle(part, experiments);
        whole.experiment += (whole.experiment.empty() ? "" : ", ") + title;
        addTrials(whole, part, title, ids);
    }
    for (std::size_t i = 1; i < experiments.size(); ++i)
        addRest(whole, std::move(experiments[i]));
    return whole;
}

} // namespace headroom::report
