// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffWords.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/tradeoff/TradeoffFronts.h"

#include <algorithm>
#include <optional>

namespace headroom::ui {
namespace {

using figures::TradeoffFronts;
using figures::TradeoffInput;
using figures::TradeoffTrial;

// "needs: 12.3 GiB" under "needs (GiB)".
std::string cellLine(const report::ReportColumn& column, const report::ReportCell& cell)
{
    const auto open = column.title.rfind(" (");
    if (open == std::string::npos)
        return column.title + ": " + cell.text;
    const std::string unit = column.title.substr(open + 2, column.title.size() - open - 3);
    return column.title.substr(0, open) + ": " + cell.text + " " + unit;
}

std::string amountsText(const TradeoffTrial& trial, const TradeoffInput& input)
{
    const std::string size = sizeText(*trial.peak);
    const std::string memory = input.memory == figures::MemoryKind::Needed
        ? "needs " + size
        : "holds " + size + " (peak " + figures::name(input.memory) + ")";
    return memory + " at " + speedText(*trial.perSecond, input.unit) + ", " + figures::name(trial.provenance);
}

std::string againstReference(const ResultSet& results, const report::ReportTrial& trial)
{
    const report::ReportTrial* reference = results.comparison().groupOf(trial).reference;
    if (reference == &trial)
        return "; it is what the others are compared with";
    const report::Versus versus = results.comparison().versus(trial);
    if (!versus.savedBytes || !versus.speedRatio)
        return {};
    const std::string saved =
        *versus.savedBytes == 0 ? "as much memory as" : moreOrLessText(-*versus.savedBytes) + " than";
    return ": " + saved + " " + reference->techniques + " at " + percentText(*versus.speedRatio) + " of its speed";
}

// Of the trials that need no more and are no slower, the one that is best in speed.
std::optional<std::size_t> beating(const TradeoffInput& input, const TradeoffFronts& fronts, std::size_t chosen)
{
    const TradeoffTrial& it = input.trials[chosen];
    std::optional<std::size_t> best;
    for (const auto& front : fronts.fronts())
        for (const std::size_t other : front) {
            const TradeoffTrial& candidate = input.trials[other];
            const bool beats = candidate.group == it.group && candidate.provenance == it.provenance
                && *candidate.peak <= *it.peak && *candidate.perSecond >= *it.perSecond;
            if (beats && (!best || *candidate.perSecond > *input.trials[*best].perSecond))
                best = other;
        }
    return best;
}

std::string standingText(const TradeoffInput& input, const TradeoffFronts& fronts, std::size_t chosen)
{
    if (fronts.onFront(chosen))
        return "; on the front: no other trial is as fast with less memory";
    const auto better = beating(input, fronts, chosen);
    if (!better)
        return "; not on the front, as it contradicts other trials";
    const TradeoffTrial& it = input.trials[chosen];
    const TradeoffTrial& other = input.trials[*better];
    std::vector<std::string> ways;
    if (*other.peak < *it.peak)
        ways.push_back("needs " + sizeText(*it.peak - *other.peak) + " less");
    if (const double change = *other.perSecond / *it.perSecond - 1; change > kLeastShownChange)
        ways.push_back("is " + percentText(change) + " faster");
    return "; not on the front: " + other.label + " " + (ways.empty() ? "is as good" : enumerated(ways));
}

} // namespace

figures::Hover hoverOf(const ResultSet& results, const report::ReportTrial& trial)
{
    const report::ReportTable& table = results.table();
    const auto& cells = table.rows[static_cast<std::size_t>(&trial - results.content().trials.data())].cells;
    const std::string& group = results.comparison().groupOf(trial).title;
    figures::Hover hover{group.empty() ? trial.techniques : trial.techniques + " · " + group, {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const report::ReportColumn& column = table.columns[i];
        const bool isResult = !column.isSetting && column.title != "techniques" && column.title != "case";
        if (isResult && cells[i].text != kUnknownCell)
            hover.lines.push_back(cellLine(column, cells[i]));
    }
    if (const std::string why = trial.ending(); !why.empty())
        hover.lines.push_back(why);
    return hover;
}

std::string chosenSentence(const ResultSet& results, const TradeoffInput& input, const std::string& trialId)
{
    const report::ReportTrial* trial = results.find(trialId);
    const auto found = std::ranges::find(input.trials, trialId, &TradeoffTrial::id);
    if (trial == nullptr || found == input.trials.end())
        return {};
    if (found->outcome != Outcome::Completed || !found->peak || !found->perSecond)
        return found->label + ": " + figures::outcomeText(found->outcome, found->reason) + ".";
    const TradeoffFronts fronts(input);
    return found->label + " " + amountsText(*found, input) + againstReference(results, *trial)
        + standingText(input, fronts, static_cast<std::size_t>(found - input.trials.begin())) + ".";
}

} // namespace headroom::ui
