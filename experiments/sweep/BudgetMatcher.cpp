// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/BudgetMatcher.h"

#include "core/base/Error.h"
#include "core/base/GlobPattern.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

std::vector<std::string> valuesAt(const std::string& path, const PlannedTrial& planned)
{
    const config::Configuration& configuration = planned.trial.configuration;
    if (path == "model")
        return {configuration.model};
    if (path == "label")
        return {planned.label};
    if (path == "device")
        return {planned.trial.device.name(), planned.trial.device.notation()};
    return {configuration.techniques.at(path).notation};
}

bool fits(const BudgetPattern& pattern, const PlannedTrial& planned)
{
    const std::vector<std::string> values = valuesAt(pattern.path, planned);
    return std::any_of(pattern.globs.begin(), pattern.globs.end(), [&](const std::string& glob) {
        return std::any_of(
            values.begin(), values.end(), [&](const std::string& value) { return matchesGlob(value, glob); });
    });
}

bool fitsPatterns(const Budget& budget, const PlannedTrial& planned)
{
    return std::all_of(budget.patterns.begin(), budget.patterns.end(),
        [&](const BudgetPattern& pattern) { return fits(pattern, planned); });
}

bool isDeviation(LimitKind kind)
{
    return kind == LimitKind::OutputRelL2 || kind == LimitKind::LossAbsDiff || kind == LimitKind::GradNormRelDiff;
}

bool isProcessor(const config::DeviceSpec& device)
{
    return device.kind == config::DeviceKind::Cpu || (device.isSimulated() && device.profile == "cpu");
}

std::string impossiblePeak(const BudgetLimit& limit, const config::DeviceSpec& device)
{
    if (limit.peak == PeakFigure::Reserved && isProcessor(device))
        return "has no reserved memory";
    const bool hasDevicePeak = device.isSimulated() && !isProcessor(device);
    return limit.peak == PeakFigure::Device && !hasDevicePeak ? "has no peak of the whole device" : "";
}

// Why the trial never has the figure; empty where it may.
std::string impossibility(const BudgetLimit& limit, const config::Trial& trial)
{
    const bool isSimulatedProcessor = trial.device.isSimulated() && isProcessor(trial.device);
    if (isDeviation(limit.kind) && !trial.device.computes())
        return "computes no values that could deviate";
    if (isDeviation(limit.kind) && limit.kind != LimitKind::OutputRelL2
        && trial.configuration.workload.step == config::StepKind::Inference)
        return "runs inference, without loss and gradients";
    if (limit.kind == LimitKind::StepsPerSecond && isSimulatedProcessor)
        return "claims no speed";
    if (limit.kind == LimitKind::Fits && isProcessor(trial.device) && !trial.memoryLimitBytes)
        return "has no limit that it could fit";
    return limit.kind == LimitKind::Peak ? impossiblePeak(limit, trial.device) : "";
}

void requireDecidable(const Budget& budget, const PlannedTrial& planned)
{
    for (const BudgetLimit& limit : budget.limits)
        if (const std::string reason = impossibility(limit, planned.trial); !reason.empty())
            throw UsageError(
                "\"" + budget.name + "\" is about " + planned.trial.device.notation() + ", which " + reason,
                limit.where, "patterns such as device = \"...\" that leave these trials out");
}

bool matchesSkipped(const Budget& budget, std::span<const PlannedTrial> sweep)
{
    return std::any_of(sweep.begin(), sweep.end(), [&](const PlannedTrial& t) { return fitsPatterns(budget, t); });
}

} // namespace

bool applies(const Budget& budget, const PlannedTrial& planned)
{
    const bool asksToComplete = std::any_of(budget.limits.begin(), budget.limits.end(),
        [](const BudgetLimit& limit) { return limit.kind == LimitKind::Completion; });
    return (planned.isRunnable() || asksToComplete) && fitsPatterns(budget, planned);
}

void requireUsable(const std::vector<Budget>& budgets, std::span<const PlannedTrial> sweep)
{
    for (const Budget& budget : budgets) {
        bool isUsed = false;
        for (const PlannedTrial& planned : sweep)
            if (applies(budget, planned)) {
                isUsed = true;
                requireDecidable(budget, planned);
            }
        if (!isUsed)
            throw UsageError("\"" + budget.name + "\" matches no trial"
                    + (matchesSkipped(budget, sweep) ? " that is run (those it matches are skipped)" : ""),
                budget.where, "patterns that some trial of the sweep fits; --dry-run lists them");
    }
}

} // namespace headroom::experiments
