// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/BudgetJudge.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/sweep/BudgetMatcher.h"
#include "experiments/verdict/PeakLimit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

// Flags that say that a time is not to be relied on.
std::string distrust(const RecordView& record)
{
    for (const char* flag : {"not_steady", "implausible"})
        if (record.hasFlag(flag))
            return flag;
    return {};
}

BudgetFinding judgeExactSpeed(const BudgetLimit& limit, double rate, const RecordView& record)
{
    const bool isHeld = rate >= limit.amount;
    return {isHeld ? BudgetResult::Held : BudgetResult::Exceeded,
        fmt::format("{} {:.4g} {}, {} {:.4g}", record.kind(), rate, speedUnitName(SpeedUnit::Steps),
            isHeld ? "at least" : "fewer than", limit.amount)};
}

// Only a whole interval on one side of the limit is evidence.
BudgetFinding judgeInterval(const BudgetLimit& limit, double rate, double low, double high)
{
    const std::string text = fmt::format(
        "measured {:.4g} {} (95 % interval {:.4g} to {:.4g}), ", rate, speedUnitName(SpeedUnit::Steps), low, high);
    if (high < limit.amount)
        return {BudgetResult::Exceeded, text + fmt::format("fewer than {:.4g}", limit.amount)};
    if (low >= limit.amount)
        return {BudgetResult::Held, text + fmt::format("at least {:.4g}", limit.amount)};
    return {BudgetResult::Ambiguous, text + fmt::format("which may be on either side of {:.4g}", limit.amount)};
}

BudgetFinding judgeSpeed(const BudgetLimit& limit, const std::string& figure, const RecordView& record)
{
    const auto rate = record.number(figure);
    if (!rate || !record.hasCompleted())
        return withoutFigure(record, figure);
    if (const std::string flag = distrust(record); !flag.empty())
        return {BudgetResult::Undecided, "the speed of this trial is flagged as " + flag};
    if (record.isPredicted())
        return judgeExactSpeed(limit, *rate, record);
    const OrderedJson& interval = record.value("speed.ci95");
    if (!interval.is_array())
        return {BudgetResult::Undecided, "too few timed steps for an interval (protocol.steps, protocol.repeats)"};
    return judgeInterval(limit, *rate, 1 / interval.at(1).get<double>(), 1 / interval.at(0).get<double>());
}

// Nothing is applied to it: it is what the others are compared with.
bool isBaseline(const RecordView& record)
{
    const auto& techniques = config::techniqueCatalogue();
    return std::all_of(techniques.begin(), techniques.end(), [&](const config::TechniqueDescriptor& technique) {
        return technique.role == config::TechniqueRole::Task
            || record.text("techniques." + technique.key) == technique.off;
    });
}

BudgetFinding judgeDeviation(const BudgetLimit& limit, const std::string& figure, const RecordView& record)
{
    const auto deviation = record.number(figure);
    if (!deviation && record.hasCompleted() && isBaseline(record))
        return {BudgetResult::Held, "without techniques it is the baseline itself"};
    // Outputs were compared, but JSON has no word for what is no number.
    const bool isNoNumber = figure == "numerics.output_rel_l2" && record.value("numerics").is_object();
    if (!deviation && record.hasCompleted() && isNoNumber)
        return {BudgetResult::Exceeded, std::string(record.kind()) + " " + figure + " is no number"};
    if (!deviation || !record.hasCompleted())
        return withoutFigure(record, figure);
    const bool isHeld = *deviation <= limit.amount; // false for what is no number
    return {isHeld ? BudgetResult::Held : BudgetResult::Exceeded,
        fmt::format("{} {} {:.4g}, {} {:.4g}", record.kind(), figure, *deviation, isHeld ? "within" : "not within",
            limit.amount)};
}

BudgetFinding judgeFit(const std::string& figure, const RecordView& record)
{
    const OrderedJson& fits = record.value(figure);
    if (!fits.is_boolean())
        return withoutFigure(record, figure);
    if (fits.get<bool>())
        return {BudgetResult::Held, fmt::format("fits the device ({})", record.kind())};
    return {BudgetResult::Exceeded, fmt::format("does not fit the device ({})", record.kind())};
}

BudgetFinding judgeCompletion(const RecordView& record)
{
    if (record.hasCompleted())
        return {BudgetResult::Held, "completed"};
    return {BudgetResult::Exceeded, "has to complete, but ended as " + record.ending()};
}

std::string figureOf(const BudgetLimit& limit, const RecordView& record)
{
    switch (limit.kind) {
    case LimitKind::Peak:
        return peakFigure(limit, record);
    case LimitKind::StepsPerSecond:
        return "speed.steps_per_second";
    case LimitKind::OutputRelL2:
        return "numerics.output_rel_l2";
    case LimitKind::LossAbsDiff:
        return "numerics.loss_abs_diff";
    case LimitKind::GradNormRelDiff:
        return "numerics.grad_norm_rel_diff";
    case LimitKind::Fits:
        return "memory.fits";
    case LimitKind::Completion:
        break;
    }
    return "outcome";
}

BudgetFinding finding(const BudgetLimit& limit, const std::string& figure, const RecordView& record)
{
    switch (limit.kind) {
    case LimitKind::Peak:
        return judgePeak(limit, record);
    case LimitKind::StepsPerSecond:
        return judgeSpeed(limit, figure, record);
    case LimitKind::OutputRelL2:
    case LimitKind::LossAbsDiff:
    case LimitKind::GradNormRelDiff:
        return judgeDeviation(limit, figure, record);
    case LimitKind::Fits:
        return judgeFit(figure, record);
    case LimitKind::Completion:
        break;
    }
    return judgeCompletion(record);
}

// Bytes are whole ones: a peak is within 0.1 GiB when it is within the whole bytes of that.
OrderedJson allowedOf(const BudgetLimit& limit)
{
    switch (limit.kind) {
    case LimitKind::Completion:
        return "completed";
    case LimitKind::Fits:
        return true;
    case LimitKind::Peak:
        return static_cast<std::int64_t>(std::floor(limit.amount));
    default:
        return limit.amount;
    }
}

bool isFinished(const OrderedJson& record)
{
    return !record.is_null() && !RecordView(record).hasOutcome("cancelled");
}

BudgetOutcome outcomeOf(
    const Budget& budget, std::span<const PlannedTrial> trials, std::span<const OrderedJson> records)
{
    BudgetOutcome outcome;
    outcome.name = budget.name;
    outcome.onAmbiguity = budget.onAmbiguity;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!applies(budget, trials[i]))
            continue;
        ++outcome.trials;
        outcome.notRun += isFinished(records[i]) ? 0 : 1;
        for (const BudgetLimit& limit : budget.limits)
            if (isFinished(records[i]))
                outcome.verdicts.push_back(judge(budget, limit, records[i]));
    }
    return outcome;
}

} // namespace

BudgetVerdict judge(const Budget& budget, const BudgetLimit& limit, const OrderedJson& json)
{
    const RecordView record(json);
    const std::string figure = figureOf(limit, record);
    const BudgetFinding found = finding(limit, figure, record);
    return {.budget = budget.name,
        .trialId = record.text("trial_id"),
        .label = record.text("label"),
        .isPredicted = record.isPredicted(),
        .limit = limit.key,
        .figure = figure,
        .found = record.value(figure),
        .allowed = allowedOf(limit),
        .result = found.result,
        .text = found.text};
}

std::vector<BudgetOutcome> judge(
    const std::vector<Budget>& budgets, std::span<const PlannedTrial> trials, std::span<const OrderedJson> records)
{
    std::vector<BudgetOutcome> outcomes;
    for (const Budget& budget : budgets)
        outcomes.push_back(outcomeOf(budget, trials, records));
    return outcomes;
}

} // namespace headroom::experiments
