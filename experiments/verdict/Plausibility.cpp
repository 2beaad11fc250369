// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/Plausibility.h"

#include "experiments/verdict/JudgedTrial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace headroom::experiments {
namespace {

/// Blocks of memory are rounded up, and what is cut into more pieces has more of them.
constexpr double kMemoryMargin = 0.01;
constexpr Bytes kRoundingBytes = 64 * kKiB;
/// Measured speeds of two processes differ by more than the intervals within them say.
constexpr double kMeasuredSpeedMargin = 0.10;
constexpr double kPredictedSpeedMargin = 0.01;
/// Fewer processes say nothing of the differences between processes.
constexpr int kFewestProcesses = 2;
/// What still counts as the same as the baseline.
constexpr double kSamePeak = 0.005;
constexpr double kSameSpeed = 0.02;
constexpr double kSameOutput = 1e-5;

struct Finding {
    std::string flag;
    std::string reason;
    std::vector<std::size_t> trials;
    bool isSuspicion = false; ///< to be measured again before it counts
};

using Trials = std::vector<JudgedTrial>;
using Findings = std::vector<Finding>;

Finding implausible(const JudgedTrial& left, const JudgedTrial& right, const std::string& reason)
{
    return {"implausible", reason, {left.index, right.index}};
}

bool needsMore(const JudgedTrial& left, const JudgedTrial& right)
{
    if (!left.peakBytes || !right.peakBytes)
        return false;
    const auto margin = std::max(static_cast<double>(kRoundingBytes), kMemoryMargin * double(*right.peakBytes));
    return static_cast<double>(*left.peakBytes) > static_cast<double>(*right.peakBytes) + margin;
}

// Beyond the intervals and beyond the margin.
bool isSlower(const JudgedTrial& left, const JudgedTrial& right)
{
    if (!left.interval || !right.interval)
        return false;
    const double margin = left.result->isPredicted ? kPredictedSpeedMargin : kMeasuredSpeedMargin;
    return left.interval->low > right.interval->high
        && *left.result->speed.stepSeconds > *right.result->speed.stepSeconds * (1 + margin);
}

std::int64_t checkpointedBlocks(const JudgedTrial& trial)
{
    return trial.result->isOff("checkpointing")
        ? 0
        : trial.result->counter("checkpointing", "blocks_checkpointed").value_or(-1);
}

// One block more may cost as much as it saves (its input is kept, and it is recomputed whole); and of two policies in
// the middle, the larger one does not hold the blocks of the smaller one unless it is much larger.
bool checkpointsClearlyFewer(const JudgedTrial& fewer, const JudgedTrial& more)
{
    const std::int64_t few = checkpointedBlocks(fewer);
    const std::int64_t many = checkpointedBlocks(more);
    const bool isByOp = fewer.result->counter("checkpointing", "ops_recomputed").value_or(0) > 0
        || more.result->counter("checkpointing", "ops_recomputed").value_or(0) > 0;
    return few >= 0 && many - few >= 2 && many >= 2 * few && !isByOp;
}

void judgeCheckpointing(const JudgedTrial& fewer, const JudgedTrial& more, Findings& findings)
{
    if (!checkpointsClearlyFewer(fewer, more))
        return;
    const auto name = [](const JudgedTrial& trial) {
        return fmt::format("{} with {} blocks checkpointed", trial.name, checkpointedBlocks(trial));
    };
    if (needsMore(more, fewer))
        findings.push_back(implausible(fewer, more,
            fmt::format(
                "checkpointing more blocks cannot need more memory, yet {} peaks at {} bytes and {} at {} bytes",
                name(more), *more.peakBytes, name(fewer), *fewer.peakBytes)));
    const bool recomputes = more.result->counter("checkpointing", "blocks_recomputed").value_or(0) > 0;
    if (!recomputes || fewer.result->hasFlag("pressured") || more.result->hasFlag("pressured")
        || !isSlower(fewer, more))
        return;
    findings.push_back(implausible(fewer, more,
        fmt::format("recomputing blocks cannot save time, yet {} takes {:.6g} s a step and {} takes {:.6g} s",
            name(more), *more.result->speed.stepSeconds, name(fewer), *fewer.result->speed.stepSeconds)));
    findings.back().isSuspicion =
        !fewer.result->isPredicted && std::min(fewer.processes(), more.processes()) < kFewestProcesses;
}

// "tokens" and "recompute" of "tokens:4:recompute": what has to be equal beside the number of slices.
std::string splitKind(const JudgedTrial& trial)
{
    std::string kind = trial.settings.at("split_ffn");
    std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
    return kind;
}

std::int64_t slices(const JudgedTrial& trial)
{
    const std::int64_t layers = trial.result->counter("split_ffn", "layers_split").value_or(0);
    return layers > 0 ? trial.result->counter("split_ffn", "slices_run").value_or(0) / layers : 0;
}

// In training without recomputation every slice is saved: there is no transient to be smaller.
void judgeSlices(const JudgedTrial& fewer, const JudgedTrial& more, Findings& findings)
{
    if (fewer.result->workloadText("step") != "inference" || splitKind(fewer) != splitKind(more))
        return;
    if (slices(fewer) > 0 && slices(fewer) < slices(more) && needsMore(more, fewer))
        findings.push_back(implausible(fewer, more,
            fmt::format("more slices of the feed-forward cannot need more memory, yet {} with {} slices peaks at {} "
                        "bytes and {} with {} at {} bytes",
                more.name, slices(more), *more.peakBytes, fewer.name, slices(fewer), *fewer.peakBytes)));
}

// Techniques that leave weights and gradients where they are and as they are.
bool keepsWeights(const JudgedTrial& trial)
{
    constexpr std::array kKeeping{"optimizer", "checkpointing", "split_ffn"};
    return std::ranges::all_of(trial.settings, [&](const auto& entry) {
        return trial.result->isOff(entry.first) || std::ranges::find(kKeeping, entry.first) != kKeeping.end();
    });
}

void judgeStatic(const JudgedTrial& trial, Findings& findings)
{
    if (!trial.result->model.weightBytes || !trial.peakBytes || !keepsWeights(trial))
        return;
    const bool isTraining = trial.result->workloadText("step") != "inference";
    const Bytes staticBytes = *trial.result->model.weightBytes * (isTraining ? 2 : 1);
    if (*trial.peakBytes < staticBytes)
        findings.push_back({"implausible",
            fmt::format("a step cannot peak below what is alive throughout, yet {} peaks at {} bytes with {} bytes of "
                        "weights{}",
                trial.name, *trial.peakBytes, staticBytes, isTraining ? " and gradients" : ""),
            {trial.index}});
}

void judgeRate(const JudgedTrial& trial, const PeakFlops& peakFlops, Findings& findings)
{
    const auto peak = peakFlops ? peakFlops(trial.result->device) : std::nullopt;
    // The closed form counts the gradients of all weights.
    if (!peak || !trial.result->isOff("trainable") || !trial.result->speed.stepSeconds
        || *trial.result->speed.stepSeconds <= 0)
        return;
    const double rate = trial.result->model.flopsPerStep / *trial.result->speed.stepSeconds;
    if (rate > *peak)
        findings.push_back({"implausible",
            fmt::format("no step can be faster than the device's arithmetic, yet {} runs {:.4g} operations a second "
                        "and {} has at most {:.4g}",
                trial.name, rate, trial.result->device, *peak),
            {trial.index}});
}

bool isWithinMargin(double left, double right, double margin)
{
    return std::abs(left - right) <= margin * right;
}

bool isSameSpeed(const JudgedTrial& left, const JudgedTrial& right)
{
    if (!left.interval || !right.interval)
        return false;
    const bool overlap = left.interval->low <= right.interval->high && right.interval->low <= left.interval->high;
    return overlap || isWithinMargin(*left.result->speed.stepSeconds, *right.result->speed.stepSeconds, kSameSpeed);
}

std::optional<double> outputDeviation(const JudgedTrial& trial)
{
    return trial.result->numerics ? trial.result->numerics->outputRelL2 : std::nullopt;
}

void judgeEffect(const JudgedTrial& trial, const JudgedTrial& baseline, Findings& findings)
{
    if (trial.result->isBaseline() || !trial.peakBytes || !baseline.peakBytes || !isSameSpeed(trial, baseline))
        return;
    const bool isSameOutput = trial.result->isPredicted || outputDeviation(trial).value_or(1) <= kSameOutput;
    if (isSameOutput && isWithinMargin(double(*trial.peakBytes), double(*baseline.peakBytes), kSamePeak))
        findings.push_back({"no_effect",
            fmt::format("peak, speed and output are those of the baseline {} within noise", baseline.name),
            {trial.index}});
}

using PairRule = void (*)(const JudgedTrial&, const JudgedTrial&, Findings&);

// Every two trials, in both orders, that are equal in everything but the technique.
void judgePairs(const Trials& trials, const std::string& technique, PairRule rule, Findings& findings)
{
    std::map<std::string, std::vector<const JudgedTrial*>> groups;
    for (const JudgedTrial& trial : trials)
        groups[trial.apartFrom(technique)].push_back(&trial);
    for (const auto& [key, group] : groups)
        for (const JudgedTrial* left : group)
            for (const JudgedTrial* right : group)
                rule(*left, *right, findings);
}

void judgeEffects(const Trials& trials, Findings& findings)
{
    std::map<std::string, const JudgedTrial*> baselines;
    for (const JudgedTrial& trial : trials)
        if (trial.result->isBaseline())
            baselines.emplace(trial.task(), &trial);
    for (const JudgedTrial& trial : trials)
        if (const auto baseline = baselines.find(trial.task()); baseline != baselines.end())
            judgeEffect(trial, *baseline->second, findings);
}

Findings findingsOf(const Trials& trials, const PeakFlops& peakFlops)
{
    Findings findings;
    for (const JudgedTrial& trial : trials) {
        judgeStatic(trial, findings);
        judgeRate(trial, peakFlops, findings);
    }
    judgePairs(trials, "checkpointing", judgeCheckpointing, findings);
    judgePairs(trials, "split_ffn", judgeSlices, findings);
    judgeEffects(trials, findings);
    return findings;
}

} // namespace

void applyPlausibility(SweepResults& results, const PeakFlops& peakFlops)
{
    for (const Finding& finding : findingsOf(completedTrials(results), peakFlops))
        for (const std::size_t trial : finding.trials)
            if (!finding.isSuspicion)
                results[trial]->addFlag(finding.flag, finding.reason);
}

std::vector<std::size_t> contradictingTrials(const SweepResults& results)
{
    std::set<std::size_t> trials;
    for (const Finding& finding : findingsOf(completedTrials(results), {}))
        if (finding.isSuspicion)
            trials.insert(finding.trials.begin(), finding.trials.end());
    return {trials.begin(), trials.end()};
}

} // namespace headroom::experiments
