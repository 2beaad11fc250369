// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/BudgetJudge.h"

#include "core/base/Quantities.h"
#include "experiments/sweep/BudgetMatcher.h"
#include "experiments/verdict/PeakLimit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

/// The figure that a limit is held against: its dotted key in the trial's record, and its value (null: not known).
struct ComparedFigure {
    std::string key;
    config::Value found;
};

// Flags that say that a time is not to be relied on.
std::string distrust(const TrialResult& result)
{
    for (const char* flag : {"not_steady", "implausible"})
        if (result.hasFlag(flag))
            return flag;
    return {};
}

BudgetFinding judgeExactSpeed(const BudgetLimit& limit, double rate, const TrialResult& result)
{
    const bool isHeld = rate >= limit.amount;
    return {isHeld ? BudgetResult::Held : BudgetResult::Exceeded,
        fmt::format("{} {:.4g} {}, {} {:.4g}", result.kind(), rate, speedUnitName(SpeedUnit::Steps),
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

BudgetFinding judgeSpeed(const BudgetLimit& limit, const ComparedFigure& figure, const TrialResult& result)
{
    const auto& rate = result.speed.stepsPerSecond;
    if (!rate || !result.hasCompleted())
        return withoutFigure(result, figure.key);
    if (const std::string flag = distrust(result); !flag.empty())
        return {BudgetResult::Undecided, "the speed of this trial is flagged as " + flag};
    if (result.isPredicted)
        return judgeExactSpeed(limit, *rate, result);
    const auto& seconds = result.speed.stepSeconds95;
    if (!seconds)
        return {BudgetResult::Undecided, "too few timed steps for an interval (protocol.steps, protocol.repeats)"};
    return judgeInterval(limit, *rate, 1 / seconds->high, 1 / seconds->low);
}

BudgetFinding judgeDeviation(const BudgetLimit& limit, const ComparedFigure& figure, const TrialResult& result)
{
    const auto deviation = figure.found.isReal() ? std::optional(figure.found.real()) : std::nullopt;
    if (!deviation && result.hasCompleted() && result.isBaseline())
        return {BudgetResult::Held, "without techniques it is the baseline itself"};
    // Outputs were compared, but JSON has no word for what is no number.
    const bool isNoNumber = limit.kind == LimitKind::OutputRelL2 && result.numerics;
    if (!deviation && result.hasCompleted() && isNoNumber)
        return {BudgetResult::Exceeded, std::string(result.kind()) + " " + figure.key + " is no number"};
    if (!deviation || !result.hasCompleted())
        return withoutFigure(result, figure.key);
    const bool isHeld = *deviation <= limit.amount; // false for what is no number
    return {isHeld ? BudgetResult::Held : BudgetResult::Exceeded,
        fmt::format("{} {} {:.4g}, {} {:.4g}", result.kind(), figure.key, *deviation, isHeld ? "within" : "not within",
            limit.amount)};
}

BudgetFinding judgeFit(const ComparedFigure& figure, const TrialResult& result)
{
    if (!result.memory.fits)
        return withoutFigure(result, figure.key);
    if (*result.memory.fits)
        return {BudgetResult::Held, fmt::format("fits the device ({})", result.kind())};
    return {BudgetResult::Exceeded, fmt::format("does not fit the device ({})", result.kind())};
}

BudgetFinding judgeCompletion(const TrialResult& result)
{
    if (result.hasCompleted())
        return {BudgetResult::Held, "completed"};
    return {BudgetResult::Exceeded, "has to complete, but ended as " + result.ending()};
}

template <typename T> config::Value valueOf(const std::optional<T>& known)
{
    return known ? config::Value(*known) : config::Value();
}

ComparedFigure deviationOf(
    const TrialResult& result, const char* key, std::optional<double> protocol::Numerics::* figure)
{
    return {key, result.numerics ? valueOf((*result.numerics).*figure) : config::Value()};
}

ComparedFigure figureOf(const BudgetLimit& limit, const TrialResult& result)
{
    switch (limit.kind) {
    case LimitKind::Peak: {
        const LimitedPeak peak = limitedPeak(limit, result);
        return {peak.key, valueOf(peak.bytes)};
    }
    case LimitKind::StepsPerSecond:
        return {"speed.steps_per_second", valueOf(result.speed.stepsPerSecond)};
    case LimitKind::OutputRelL2:
        return deviationOf(result, "numerics.output_rel_l2", &protocol::Numerics::outputRelL2);
    case LimitKind::LossAbsDiff:
        return deviationOf(result, "numerics.loss_abs_diff", &protocol::Numerics::lossAbsDiff);
    case LimitKind::GradNormRelDiff:
        return deviationOf(result, "numerics.grad_norm_rel_diff", &protocol::Numerics::gradNormRelDiff);
    case LimitKind::Fits:
        return {"memory.fits", valueOf(result.memory.fits)};
    case LimitKind::Completion:
        break;
    }
    return {"outcome", toText(result.outcome)};
}

BudgetFinding finding(const BudgetLimit& limit, const ComparedFigure& figure, const TrialResult& result)
{
    switch (limit.kind) {
    case LimitKind::Peak:
        return judgePeak(limit, result);
    case LimitKind::StepsPerSecond:
        return judgeSpeed(limit, figure, result);
    case LimitKind::OutputRelL2:
    case LimitKind::LossAbsDiff:
    case LimitKind::GradNormRelDiff:
        return judgeDeviation(limit, figure, result);
    case LimitKind::Fits:
        return judgeFit(figure, result);
    case LimitKind::Completion:
        break;
    }
    return judgeCompletion(result);
}

// Bytes are whole ones: a peak is within 0.1 GiB when it is within the whole bytes of that.
config::Value allowedOf(const BudgetLimit& limit)
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

bool isJudged(const std::optional<TrialResult>& result)
{
    return result && result->outcome != Outcome::Cancelled;
}

BudgetOutcome outcomeOf(const Budget& budget, std::span<const PlannedTrial> trials, const SweepResults& results)
{
    BudgetOutcome outcome;
    outcome.name = budget.name;
    outcome.onAmbiguity = budget.onAmbiguity;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!applies(budget, trials[i]))
            continue;
        ++outcome.trials;
        outcome.notRun += isJudged(results[i]) ? 0 : 1;
        for (const BudgetLimit& limit : budget.limits)
            if (isJudged(results[i]))
                outcome.verdicts.push_back(judge(budget, limit, *results[i]));
    }
    return outcome;
}

} // namespace

BudgetVerdict judge(const Budget& budget, const BudgetLimit& limit, const TrialResult& result)
{
    const ComparedFigure figure = figureOf(limit, result);
    const BudgetFinding found = finding(limit, figure, result);
    return {.budget = budget.name,
        .trialId = result.trialId,
        .label = result.label,
        .isPredicted = result.isPredicted,
        .limit = limit.key,
        .figure = figure.key,
        .found = figure.found,
        .allowed = allowedOf(limit),
        .result = found.result,
        .text = found.text};
}

std::vector<BudgetOutcome> judge(
    const std::vector<Budget>& budgets, std::span<const PlannedTrial> trials, const SweepResults& results)
{
    std::vector<BudgetOutcome> outcomes;
    for (const Budget& budget : budgets)
        outcomes.push_back(outcomeOf(budget, trials, results));
    return outcomes;
}

} // namespace headroom::experiments
