// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/GroupFront.h"

#include "experiments/figures/tradeoff/ParetoFront.h"
#include "experiments/report/FigureTerms.h"
#include "experiments/report/TradeoffPanel.h"

#include <algorithm>

namespace headroom::report {

namespace {

using figures::MemoryKind;

MemoryKind kindOf(MemoryFigure figure)
{
    return figure == MemoryFigure::Reserved ? MemoryKind::Reserved : MemoryKind::Allocated;
}

std::vector<const ReportTrial*> usableBy(const ComparisonGroup& group, MemoryKind memory)
{
    std::vector<const ReportTrial*> trials;
    for (const ReportTrial* trial : group.trials)
        if (trial->isCompleted() && trial->fits().value_or(true) && !trial->hasFlag("implausible")
            && peakOf(*trial, memory))
            trials.push_back(trial);
    return trials;
}

std::vector<const ReportTrial*> frontBy(const ComparisonGroup& group, MemoryKind memory)
{
    const std::vector<const ReportTrial*> trials = usableBy(group, memory);
    std::vector<figures::Cost> costs;
    for (const ReportTrial* trial : trials)
        costs.push_back({double(*peakOf(*trial, memory)), trial->stepsPerSecond().value_or(0)});
    std::vector<const ReportTrial*> front;
    for (const std::size_t index : figures::paretoFront(costs))
        front.push_back(trials[index]);
    return front;
}

} // namespace

std::vector<const ReportTrial*> usableTrials(const ComparisonGroup& group)
{
    return usableBy(group, kindOf(group.figure));
}

std::vector<const ReportTrial*> frontOf(const ComparisonGroup& group)
{
    return frontBy(group, kindOf(group.figure));
}

std::set<std::string> trialsOnFront(const Comparison& comparison)
{
    std::set<std::string> ids;
    for (const auto& members : comparison.panels()) {
        const MemoryKind memory = decidingMemory(trialsOf(comparison, members));
        for (const std::size_t group : members)
            for (const ReportTrial* trial : frontBy(comparison.groups()[group], memory))
                if (trial->stepsPerSecond())
                    ids.insert(trial->id());
    }
    return ids;
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

std::unordered_set<std::string> trialsWorthShowing(const Comparison& comparison, std::size_t most)
{
    std::vector<const ReportTrial*> trials;
    for (const ComparisonGroup& group : comparison.groups())
        trials.insert(trials.end(), group.trials.begin(), group.trials.end());
    std::ranges::sort(trials); // as they lie: in the order of the sweep
    std::unordered_set<std::string> ids;
    std::set<config::Provenance> provenances;
    for (const ReportTrial* trial : trials)
        if (provenances.insert(trial->provenance()).second)
            ids.insert(trial->id());
    const auto add = [&](const std::string& id) {
        if (ids.size() < most)
            ids.insert(id);
    };
    std::ranges::for_each(trialsInFull(comparison, most - std::min(most, ids.size())), add);
    for (const ReportTrial* trial : trials) {
        if (const ReportTrial* reference = comparison.groupOf(*trial).reference; reference != nullptr)
            add(reference->id());
        add(trial->id());
    }
    return ids;
}

} // namespace headroom::report
