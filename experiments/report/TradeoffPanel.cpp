// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TradeoffPanel.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/FigureTerms.h"

#include <algorithm>
#include <array>
#include <set>

namespace headroom::report {
namespace {

using figures::MemoryKind;
using figures::TradeoffInput;
using figures::TradeoffTrial;

using Trials = std::vector<const ReportTrial*>;

// A line far above everything would press the marks together.
constexpr double kFarAbove = 1.6;

std::string settingOf(const ReportTrial& trial, const std::optional<std::string>& technique)
{
    if (technique == kByExperiment)
        return trial.source ? trial.source->title : std::string();
    return technique ? trial.planned.configuration.technique(*technique).notation : std::string();
}

std::vector<std::string> detailsOf(const ReportTrial& trial, const Comparison& comparison)
{
    std::vector<std::string> details;
    const Versus versus = comparison.versus(trial);
    if (versus.savedBytes)
        details.push_back(*versus.savedBytes == 0 ? "as much memory as the reference"
                                                  : moreOrLessText(-*versus.savedBytes) + " than the reference");
    if (versus.speedRatio)
        details.push_back(percentText(*versus.speedRatio) + " of the reference's speed");
    if (const auto fits = trial.fits())
        details.push_back(*fits ? "fits the device" : "does not fit the device");
    return details;
}

TradeoffTrial tradeoffTrial(
    const ReportTrial& trial, const Comparison& comparison, const std::string& group, const TradeoffInput& input)
{
    TradeoffTrial result;
    result.id = trial.id();
    result.label = trial.techniques;
    result.group = group;
    result.provenance = provenanceOf(trial);
    result.outcome = trial.result.outcome;
    result.reason = trial.ending();
    result.peak = peakOf(trial, input.memory);
    result.perSecond = speedOf(trial, input.unit);
    result.interval = intervalOf(trial, input.unit);
    result.flags = flagsOf(trial);
    result.fits = trial.fits();
    result.details = detailsOf(trial, comparison);
    result.colourKey = settingOf(trial, input.colourBy);
    result.shapeKey = settingOf(trial, input.shapeBy);
    return result;
}

// The limit that was set, or the usable memory, where all trials share it and it is near what they need.
std::optional<figures::Budget> budgetOf(const ReportContent& content, const Trials& trials, figures::MemoryKind memory)
{
    std::set<std::pair<Bytes, std::string>> budgets;
    Bytes largest = 0;
    for (const ReportTrial* trial : trials) {
        largest = std::max(largest, peakOf(*trial, memory).value_or(0));
        const auto usable = content.usableBytes.find(trial->device());
        if (trial->planned.memoryLimitBytes && memory == figures::MemoryKind::Needed)
            return std::nullopt; // a limit is one of what the allocator reserves
        if (trial->planned.memoryLimitBytes)
            budgets.emplace(*trial->planned.memoryLimitBytes, "memory limit");
        else if (usable != content.usableBytes.end())
            budgets.emplace(usable->second, "usable memory of " + trial->planned.device.profile);
        else
            return std::nullopt;
    }
    if (budgets.size() != 1 || double(budgets.begin()->first) > kFarAbove * double(largest))
        return std::nullopt;
    return figures::Budget{budgets.begin()->first, budgets.begin()->second};
}

std::optional<std::string> keyOr(const std::string& technique)
{
    return technique.empty() ? std::nullopt : std::optional(technique);
}

} // namespace

figures::TradeoffInput tradeoffInput(const ReportContent& content, const Comparison& comparison,
    const std::vector<std::size_t>& members, const TradeoffChoice& choice)
{
    const Trials trials = trialsOf(comparison, members);
    TradeoffInput input;
    input.title = "Peak memory against speed";
    input.memory = choice.memory.value_or(automaticMemory(trials));
    input.unit = choice.unit;
    input.front = choice.front;
    input.colourBy = keyOr(choice.colourBy);
    input.shapeBy = keyOr(choice.shapeBy);
    input.budget = choice.budget ? choice.budget : budgetOf(content, trials, input.memory);
    for (const std::size_t index : members)
        for (const ReportTrial* trial : comparison.groups()[index].trials)
            input.trials.push_back(
                tradeoffTrial(*trial, comparison, members.size() == 1 ? "" : comparison.groups()[index].title, input));
    return input;
}

// What all trials of the panel share of that by which groups are told apart.
std::string panelTitle(const Comparison& comparison, const std::vector<std::size_t>& members)
{
    const auto& groups = comparison.groups();
    if (members.size() == groups.size())
        return {};
    std::set<std::string> devices;
    std::set<std::string> models;
    for (const std::size_t index : members) {
        devices.insert(groups[index].trials.front()->device());
        models.insert(groups[index].trials.front()->model());
    }
    std::string title;
    for (const auto& names : {models, devices})
        for (const std::string& name : names)
            title += (title.empty() ? "" : ", ") + name;
    return title;
}

std::vector<const ReportTrial*> trialsOf(const Comparison& comparison, const std::vector<std::size_t>& members)
{
    Trials trials;
    for (const std::size_t index : members)
        for (const ReportTrial* trial : comparison.groups()[index].trials)
            trials.push_back(trial);
    return trials;
}

std::vector<std::string> varyingTechniques(const std::vector<const ReportTrial*>& trials)
{
    std::vector<std::string> keys;
    for (const std::string& key : config::techniqueKeys())
        if (std::any_of(trials.begin(), trials.end(),
                [&](const ReportTrial* trial) { return settingOf(*trial, key) != settingOf(*trials.front(), key); }))
            keys.push_back(key);
    return keys;
}

std::vector<std::string> tellingTechniques(const std::vector<const ReportTrial*>& trials)
{
    std::vector<std::string> keys = varyingTechniques(trials);
    const auto settings = [&](const std::string& key) {
        std::set<std::string> values;
        for (const ReportTrial* trial : trials)
            values.insert(settingOf(*trial, key));
        return values.size();
    };
    std::stable_sort(keys.begin(), keys.end(),
        [&](const std::string& a, const std::string& b) { return settings(a) > settings(b); });
    return keys;
}

figures::MemoryKind decidingMemory(const std::vector<const ReportTrial*>& trials)
{
    const bool allKnown = std::ranges::all_of(trials,
        [](const ReportTrial* trial) { return !trial->isCompleted() || trial->result.memory.need.needed.has_value(); });
    return allKnown ? MemoryKind::Needed : automaticMemory(trials);
}

figures::MemoryKind automaticMemory(const std::vector<const ReportTrial*>& trials)
{
    return commonFigure(trials) == MemoryFigure::Reserved ? MemoryKind::Reserved : MemoryKind::Allocated;
}

std::vector<figures::MemoryKind> memoryKindsOf(const std::vector<const ReportTrial*>& trials)
{
    std::vector<MemoryKind> kinds;
    for (const MemoryKind kind : {MemoryKind::Allocated, MemoryKind::Reserved, MemoryKind::Needed})
        if (std::any_of(trials.begin(), trials.end(),
                [&](const ReportTrial* trial) { return peakOf(*trial, kind).has_value(); }))
            kinds.push_back(kind);
    return kinds;
}

std::optional<figures::Budget> usableMemory(const ReportContent& content, const std::vector<const ReportTrial*>& trials)
{
    std::optional<figures::Budget> shared;
    for (const ReportTrial* trial : trials) {
        const auto usable = content.usableBytes.find(trial->device());
        if (usable == content.usableBytes.end() || (shared && shared->bytes != usable->second))
            return std::nullopt;
        shared = figures::Budget{usable->second, "usable memory of " + trial->planned.device.profile};
    }
    return shared;
}

} // namespace headroom::report
