// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportFigures.h"

#include "experiments/figures/PeakBarsFigure.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/FigureTerms.h"
#include "experiments/report/TradeoffPanel.h"

namespace headroom::report {
namespace {

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

Panel panelOf(const ReportContent& content, const Comparison& comparison, const std::vector<std::size_t>& members)
{
    const auto trials = trialsOf(comparison, members);
    const MemoryFigure figure = commonFigure(trials);
    const figures::TradeoffInput tradeoff = tradeoffInput(content, comparison, members);
    figures::PeakBarsInput peaks;
    peaks.title = "Peak memory of each trial";
    peaks.memory = tradeoff.memory;
    peaks.budget = tradeoff.budget;
    for (const ReportTrial* trial : trials)
        peaks.rows.push_back(peakRow(*trial, members.size() == 1 ? "" : comparison.groupOf(*trial).title, figure));
    return {panelTitle(comparison, members), figures::tradeoffFigure(tradeoff), figures::peakBarsFigure(peaks)};
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
