// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/TradeoffTable.h"

#include "experiments/figures/TrialTerms.h"

#include <fmt/format.h>

namespace headroom::figures {
namespace {

std::string intervalText(const std::optional<Interval95>& interval)
{
    if (!interval)
        return kUnknownCell;
    return fmt::format(
        "{} to {}", significant(interval->low, kColumnDigits), significant(interval->high, kColumnDigits));
}

std::string standing(const TradeoffFronts& fronts, std::size_t trial)
{
    if (fronts.isBest(trial))
        return "best within the budget";
    return fronts.onFront(trial) ? "on the front" : kUnknownCell;
}

std::string outcomeCell(const TradeoffTrial& trial)
{
    const std::string outcome = outcomeText(trial.outcome, trial.reason);
    return trial.flags.empty() ? outcome : fmt::format("{} ({})", outcome, flagList(trial.flags));
}

std::vector<std::string> tableRow(
    const TradeoffFronts& fronts, const TradeoffTrial& trial, std::size_t index, const SizeUnit& unit)
{
    return {trial.label, trial.group.empty() ? kUnknownCell : trial.group, figures::name(trial.provenance),
        trial.peak ? inUnit(*trial.peak, unit) : kUnknownCell,
        trial.perSecond ? significant(*trial.perSecond, kColumnDigits) : kUnknownCell, intervalText(trial.interval),
        standing(fronts, index), outcomeCell(trial)};
}

} // namespace

Table tradeoffTable(const TradeoffInput& input, const TradeoffFronts& fronts, const SizeUnit& unit)
{
    Table table{{"Trial", "Group", "Kind", fmt::format("{} ({})", peakTitle(input.memory), unit.name),
                    speedUnitName(input.unit), "95 % interval", "Front", "Outcome"},
        {}};
    for (std::size_t i = 0; i < input.trials.size(); ++i)
        table.rows.push_back(tableRow(fronts, input.trials[i], i, unit));
    return table;
}

Hover tradeoffHover(const TradeoffInput& input, const TradeoffFronts& fronts, std::size_t index)
{
    const TradeoffTrial& trial = input.trials[index];
    Hover hover{trial.group.empty() ? trial.label : fmt::format("{} · {}", trial.label, trial.group), {}};
    if (trial.outcome != Outcome::Completed)
        hover.lines.push_back(outcomeText(trial.outcome, trial.reason));
    if (trial.peak)
        hover.lines.push_back(peakText(*trial.peak, input.memory));
    if (trial.perSecond)
        hover.lines.push_back(speedAndTimeText(*trial.perSecond, input.unit));
    if (trial.interval)
        hover.lines.push_back("95 % interval " + intervalText(trial.interval));
    hover.lines.push_back(config::statementOf(trial.provenance));
    if (fronts.onFront(index))
        hover.lines.push_back(standing(fronts, index));
    const auto flags = flagLines(trial.flags);
    hover.lines.insert(hover.lines.end(), flags.begin(), flags.end());
    hover.lines.insert(hover.lines.end(), trial.details.begin(), trial.details.end());
    return hover;
}

std::string whyNoPlace(const TradeoffTrial& trial)
{
    if (trial.outcome != Outcome::Completed)
        return outcomeText(trial.outcome, trial.reason);
    return trial.peak ? "completed without a speed" : "completed without a peak";
}

} // namespace headroom::figures
