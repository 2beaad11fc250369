// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportFigures.h"

#include "experiments/ByteFormat.h"
#include "experiments/figures/PeakBarsFigure.h"
#include "experiments/figures/TradeoffFigure.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/Numbers.h"

#include <algorithm>
#include <array>
#include <set>

namespace headroom::report {
namespace {

using figures::Outcome;

using Trials = std::vector<const ReportTrial*>;

// A line far above everything would press the marks together.
constexpr double kFarAbove = 1.6;

figures::Provenance provenanceOf(const ReportTrial& trial)
{
    return trial.isPredicted() ? figures::Provenance::Predicted : figures::Provenance::Measured;
}

Outcome outcomeOf(const ReportTrial& trial)
{
    constexpr std::array<std::pair<const char*, Outcome>, 6> kOutcomes{
        {{"completed", Outcome::Completed}, {"out_of_memory", Outcome::OutOfMemory}, {"failed", Outcome::Failed},
            {"timed_out", Outcome::TimedOut}, {"cancelled", Outcome::Cancelled}, {"skipped", Outcome::Skipped}}};
    for (const auto& [word, outcome] : kOutcomes)
        if (trial.hasOutcome(word))
            return outcome;
    return Outcome::Skipped; // not run: the reason says so
}

std::vector<figures::Flag> flagsOf(const ReportTrial& trial)
{
    std::vector<figures::Flag> flags;
    for (const figures::Flag flag :
        {figures::Flag::Pressured, figures::Flag::NotSteady, figures::Flag::NoEffect, figures::Flag::Implausible})
        if (trial.hasFlag(figures::name(flag)))
            flags.push_back(flag);
    return flags;
}

std::optional<figures::Interval95> intervalOf(const ReportTrial& trial)
{
    const auto interval = trial.stepsPerSecond95();
    return interval ? std::optional(figures::Interval95{interval->low, interval->high}) : std::nullopt;
}

std::vector<std::string> detailsOf(const ReportTrial& trial, const Comparison& comparison)
{
    std::vector<std::string> details;
    const Versus versus = comparison.versus(trial);
    if (versus.savedBytes)
        details.push_back(experiments::readable(std::abs(*versus.savedBytes))
            + (*versus.savedBytes >= 0 ? " less" : " more") + " than the reference");
    if (versus.speedRatio)
        details.push_back(percent(*versus.speedRatio) + " of the reference's speed");
    if (const auto fits = trial.fits())
        details.push_back(*fits ? "fits the device" : "does not fit the device");
    return details;
}

figures::TradeoffTrial tradeoffTrial(
    const ReportTrial& trial, const Comparison& comparison, const std::string& group, MemoryFigure figure)
{
    figures::TradeoffTrial result;
    result.id = trial.id();
    result.label = trial.isCompleted() || group.empty() ? trial.techniques() : group + ": " + trial.techniques();
    result.group = group;
    result.provenance = provenanceOf(trial);
    result.outcome = outcomeOf(trial);
    result.reason = trial.ending();
    result.peak = peakOf(trial, figure);
    result.perSecond = trial.stepsPerSecond();
    result.interval = intervalOf(trial);
    result.flags = flagsOf(trial);
    result.details = detailsOf(trial, comparison);
    return result;
}

figures::PeakRow peakRow(const ReportTrial& trial, const std::string& group, MemoryFigure figure)
{
    const bool reserved = figure == MemoryFigure::Reserved;
    figures::PeakRow row;
    row.id = trial.id();
    row.label = group.empty() ? trial.techniques() : group + ": " + trial.techniques();
    row.provenance = provenanceOf(trial);
    row.outcome = outcomeOf(trial);
    row.reason = trial.ending();
    row.peak = trial.isCompleted() ? peakOf(trial, figure) : std::nullopt;
    row.afterLoad = trial.bytes(reserved ? "/memory/after_load/reserved_bytes" : "/memory/after_load/allocated_bytes");
    row.harness = trial.bytes("/memory/harness_bytes");
    row.flags = flagsOf(trial);
    return row;
}

// The limit that was set, or the usable memory, where all trials share it and it is near what they need.
std::optional<figures::Budget> budgetOf(const ReportContent& content, const Trials& trials, MemoryFigure figure)
{
    std::set<std::pair<Bytes, std::string>> budgets;
    Bytes largest = 0;
    for (const ReportTrial* trial : trials) {
        largest = std::max(largest, peakOf(*trial, figure).value_or(0));
        const auto usable = content.usableBytes.find(trial->device());
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

// What all trials of the panel share of that by which groups are told apart.
std::string titleOf(const std::vector<std::size_t>& members, const Comparison& comparison)
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

Panel panelOf(const ReportContent& content, const Comparison& comparison, const std::vector<std::size_t>& members)
{
    Trials trials;
    for (const std::size_t index : members)
        for (const ReportTrial* trial : comparison.groups()[index].trials)
            trials.push_back(trial);
    const MemoryFigure figure = commonFigure(trials);
    figures::TradeoffInput tradeoff;
    figures::PeakBarsInput peaks;
    tradeoff.title = "Peak memory against speed";
    peaks.title = "Peak memory of each trial";
    tradeoff.memory = peaks.memory =
        figure == MemoryFigure::Reserved ? figures::MemoryKind::Reserved : figures::MemoryKind::Allocated;
    tradeoff.budget = peaks.budget = budgetOf(content, trials, figure);
    for (const ReportTrial* trial : trials) {
        const std::string group = members.size() == 1 ? "" : comparison.groupOf(*trial).title;
        tradeoff.trials.push_back(tradeoffTrial(*trial, comparison, group, figure));
        peaks.rows.push_back(peakRow(*trial, group, figure));
    }
    return {titleOf(members, comparison), figures::tradeoffFigure(tradeoff), figures::peakBarsFigure(peaks)};
}

} // namespace

std::vector<Panel> panelsOf(const ReportContent& content, const Comparison& comparison)
{
    std::vector<Panel> panels;
    for (const std::vector<std::size_t>& members : comparison.panels())
        panels.push_back(panelOf(content, comparison, members));
    return panels;
}

std::vector<figures::Figure> timelinesOf(const ReportContent& content, const Comparison& comparison)
{
    std::vector<figures::Figure> timelines;
    for (figures::TimelineInput input : content.timelines) {
        for (const ReportTrial& trial : content.trials)
            if (trial.id() == input.id)
                input.title = nameOf(trial, comparison) + (trial.isPredicted() ? " (predicted)" : "");
        timelines.push_back(figures::timelineFigure(input));
    }
    return timelines;
}

} // namespace headroom::report
