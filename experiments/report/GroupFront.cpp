// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/GroupFront.h"

#include "experiments/figures/tradeoff/ParetoFront.h"

namespace headroom::report {

std::vector<const ReportTrial*> usableTrials(const ComparisonGroup& group)
{
    std::vector<const ReportTrial*> trials;
    for (const ReportTrial* trial : group.trials)
        if (trial->isCompleted() && trial->fits().value_or(true) && !trial->hasFlag("implausible")
            && peakOf(*trial, group.figure))
            trials.push_back(trial);
    return trials;
}

std::vector<const ReportTrial*> frontOf(const ComparisonGroup& group)
{
    const std::vector<const ReportTrial*> trials = usableTrials(group);
    std::vector<figures::Cost> costs;
    for (const ReportTrial* trial : trials)
        costs.push_back({double(*peakOf(*trial, group.figure)), trial->stepsPerSecond().value_or(0)});
    std::vector<const ReportTrial*> front;
    for (const std::size_t index : figures::paretoFront(costs))
        front.push_back(trials[index]);
    return front;
}

std::unordered_set<std::string> trialsInFull(const Comparison& comparison, std::size_t most)
{
    std::vector<const ReportTrial*> first;
    std::vector<const ReportTrial*> then;
    for (const ComparisonGroup& group : comparison.groups()) {
        const std::vector<const ReportTrial*> front = frontOf(group);
        if (group.reference != nullptr)
            first.push_back(group.reference);
        if (!front.empty())
            first.insert(first.end(), {front.front(), front.back()});
        then.insert(then.end(), front.begin(), front.end());
    }
    first.insert(first.end(), then.begin(), then.end());
    std::unordered_set<std::string> ids;
    for (const ReportTrial* trial : first)
        if (ids.size() < most)
            ids.insert(trial->id());
    return ids;
}

} // namespace headroom::report
