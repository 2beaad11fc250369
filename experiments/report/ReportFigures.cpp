// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportFigures.h"

#include "experiments/figures/memory/CategoryBarsFigure.h"
#include "experiments/figures/memory/PeakBarsFigure.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/FigureTerms.h"
#include "experiments/report/TradeoffPanel.h"

#include <algorithm>

namespace headroom::report {
namespace {

std::string labelOf(const ReportTrial& trial, const std::string& group)
{
    return group.empty() ? trial.techniques : group + ": " + trial.techniques;
}

// Kept models are there once the trial's own is; a kept output comes later.
Bytes harnessAtLoad(const ReportTrial& trial)
{
    Bytes bytes = 0;
    for (const protocol::HarnessItem& item : trial.result.memory.harness)
        if (item.name != "baseline output")
            bytes += item.bytes;
    return bytes;
}

figures::PeakRow peakRow(const ReportTrial& trial, const std::string& group, MemoryFigure figure)
{
    const bool reserved = figure == MemoryFigure::Reserved;
    figures::PeakRow row;
    row.id = trial.id();
    row.label = labelOf(trial, group);
    row.provenance = provenanceOf(trial);
    row.outcome = trial.result.outcome;
    row.reason = trial.ending();
    row.peak = trial.isCompleted() ? peakOf(trial, figure) : std::nullopt;
    const protocol::MemoryFigures& afterLoad = trial.result.memory.afterLoad;
    row.afterLoad = reserved ? afterLoad.reserved : afterLoad.allocated;
    if (row.afterLoad)
        *row.afterLoad = std::max<Bytes>(*row.afterLoad - harnessAtLoad(trial), 0);
    row.harness = trial.result.memory.harnessBytes();
    row.flags = flagsOf(trial);
    return row;
}

figures::CategoryRow categoryRow(const ReportTrial& trial, const std::string& group)
{
    figures::CategoryRow row;
    row.id = trial.id();
    row.label = labelOf(trial, group);
    row.provenance = provenanceOf(trial);
    row.outcome = trial.result.outcome;
    row.reason = trial.ending();
    if (const auto& breakdown = trial.result.breakdown) {
        row.peak = categoriesOf(*breakdown);
        row.phase = breakdown->phase;
    }
    return row;
}

std::optional<figures::Figure> categoriesFigure(const Comparison& comparison, const std::vector<std::size_t>& members)
{
    figures::CategoryBarsInput input;
    input.title = "What the peak of each trial consists of";
    for (const std::size_t member : members) {
        const ComparisonGroup& group = comparison.groups().at(member);
        const std::size_t first = input.rows.size();
        for (const ReportTrial* trial : group.trials)
            input.rows.push_back(categoryRow(*trial, members.size() == 1 ? "" : group.title));
        const auto reference = std::ranges::find(group.trials, group.reference);
        if (reference == group.trials.end())
            continue;
        for (std::size_t i = first; i < input.rows.size(); ++i)
            input.rows[i].reference = first + static_cast<std::size_t>(reference - group.trials.begin());
    }
    if (std::ranges::none_of(input.rows, [](const figures::CategoryRow& row) { return row.peak.has_value(); }))
        return std::nullopt;
    return figures::categoryBarsFigure(input);
}

// Where trials differ in techniques alone, colour and shape are those of the first two.
TradeoffChoice lookOf(const std::vector<const ReportTrial*>& trials, std::size_t groups)
{
    TradeoffChoice choice;
    const std::vector<std::string> techniques = varyingTechniques(trials);
    if (groups != 1 || techniques.empty())
        return choice;
    choice.colourBy = techniques.front();
    choice.shapeBy = techniques.size() > 1 ? techniques[1] : techniques.front();
    return choice;
}

Panel panelOf(const ReportContent& content, const Comparison& comparison, const std::vector<std::size_t>& members)
{
    const auto trials = trialsOf(comparison, members);
    const MemoryFigure figure = commonFigure(trials);
    const figures::TradeoffInput tradeoff = tradeoffInput(content, comparison, members, lookOf(trials, members.size()));
    figures::PeakBarsInput peaks;
    peaks.title = "Peak memory of each trial";
    peaks.memory = tradeoff.memory;
    peaks.budget = tradeoff.budget;
    for (const ReportTrial* trial : trials)
        peaks.rows.push_back(peakRow(*trial, members.size() == 1 ? "" : comparison.groupOf(*trial).title, figure));
    return {panelTitle(comparison, members), figures::tradeoffFigure(tradeoff), figures::peakBarsFigure(peaks),
        categoriesFigure(comparison, members)};
}

} // namespace

std::vector<Panel> panelsOf(const ReportContent& content, const Comparison& comparison)
{
    std::vector<Panel> panels;
    for (const std::vector<std::size_t>& members : comparison.panels())
        panels.push_back(panelOf(content, comparison, members));
    return panels;
}

std::map<std::string, std::string> timelineTitles(const ReportContent& content, const Comparison& comparison)
{
    std::map<std::string, std::string> titles;
    for (const figures::TimelineInput& timeline : content.timelines)
        titles[timeline.id] = timeline.title;
    for (const ReportTrial& trial : content.trials)
        if (const auto title = titles.find(trial.id()); title != titles.end())
            title->second = nameOf(trial, comparison) + provenanceMark(trial, comparison);
    return titles;
}

figures::Figure timelineOf(const figures::TimelineInput& timeline, const std::string& title, std::size_t mostBins)
{
    figures::TimelineInput input = timeline;
    input.title = title;
    input.mostBins = mostBins;
    return figures::timelineFigure(input);
}

ReportTable asReportTable(const figures::Table& table)
{
    ReportTable report;
    for (const std::string& title : table.header)
        report.columns.push_back({title});
    for (const std::vector<std::string>& cells : table.rows) {
        ReportRow& row = report.rows.emplace_back();
        for (const std::string& cell : cells)
            row.cells.push_back({cell.empty() ? kUnknownCell : cell});
    }
    return report;
}

} // namespace headroom::report
