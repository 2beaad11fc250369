// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/Plausibility.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/verdict/JudgedTrial.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headroom::experiments {
namespace {

/// Block sizes are rounded up, so data in more pieces takes more memory.
constexpr double kMemoryMargin = 0.01;
constexpr Bytes kRoundingBytes = 64 * kKiB;
/// What cublasLt keeps on a GPU for each thread that uses it: recomputing blocks on the thread of the backward pass
/// takes one more.
constexpr Bytes kWorkspaceBytes = kMiB;
/// Measured speeds differ more between two processes than the intervals within each process suggest.
constexpr double kMeasuredSpeedMargin = 0.10;
constexpr double kPredictedSpeedMargin = 0.01;
/// With fewer processes, nothing is known of the variation between processes.
constexpr int kFewestProcesses = 2;
/// Relative differences up to these count as equal to the baseline.
constexpr double kSamePeak = 0.005;
constexpr double kSameSpeed = 0.02;
constexpr double kSameOutput = 1e-5;
constexpr double kSamePrediction = 0.0005; ///< of a speed; predicted peaks have no noise at all

struct Finding {
    std::string flag;
    std::string reason;
    std::vector<std::size_t> trials;
    bool isSuspicion = false; ///< must be measured again before it counts
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
    const bool isOnGpu = right.result->memory.peak.reserved.has_value();
    return static_cast<double>(*left.peakBytes)
        > static_cast<double>(*right.peakBytes + (isOnGpu ? kWorkspaceBytes : 0)) + margin;
}

// The intervals do not overlap, and the medians differ by more than the margin.
bool isSlower(const JudgedTrial& left, const JudgedTrial& right)
{
    if (!left.interval || !right.interval)
        return false;
    const double margin = left.result->isPredicted ? kPredictedSpeedMargin : kMeasuredSpeedMargin;
    return left.interval->low > right.interval->high
        && *left.result->speed.stepSeconds > *right.result->speed.stepSeconds * (1 + margin);
}

config::TechniqueEngagement engagementOf(const JudgedTrial& trial, const config::TechniqueDescriptor& technique)
{
    const TechniqueResult* set = trial.result->technique(technique.key);
    if (set == nullptr)
        return {.notation = technique.off, .options = {}, .counters = {}};
    const auto counters = trial.result->engagement->find(technique.key);
    return {.notation = set->notation,
        .options = trial.settings->at(technique.key).substr(set->notation.size()),
        .counters =
            counters == trial.result->engagement.end() ? std::map<std::string, std::int64_t>() : counters->second};
}

/// A trial with its engagement of one technique.
struct EngagedTrial {
    const JudgedTrial* trial = nullptr;
    config::TechniqueEngagement engagement;
};

/// Two trials that differ in one technique only, the second with clearly more of it.
struct OrderedPair {
    const config::MonotoneOrder& order;
    const JudgedTrial& fewer;
    const JudgedTrial& more;
    std::int64_t fewerLevel = 0;
    std::int64_t moreLevel = 0;

    std::string nameOfMore() const { return fmt::format("{} with {} {}", more.name, moreLevel, order.unit); }
    std::string nameOfFewer() const
    {
        const std::string name = fmt::format("{} with {}", fewer.name, fewerLevel);
        return order.unitAgain.empty() ? name : name + " " + order.unitAgain;
    }
};

void judgeOrderOfPeaks(const OrderedPair& pair, Findings& findings)
{
    if (needsMore(pair.more, pair.fewer))
        findings.push_back(implausible(pair.fewer, pair.more,
            fmt::format("{} cannot need more memory, yet {} peaks at {} bytes and {} at {} bytes", pair.order.more,
                pair.nameOfMore(), *pair.more.peakBytes, pair.nameOfFewer(), *pair.fewer.peakBytes)));
}

void judgeOrderOfTimes(const OrderedPair& pair, Findings& findings)
{
    const JudgedTrial& fewer = pair.fewer;
    const JudgedTrial& more = pair.more;
    if (fewer.result->hasFlag("pressured") || more.result->hasFlag("pressured") || !isSlower(fewer, more))
        return;
    findings.push_back(implausible(fewer, more,
        fmt::format("{} cannot save time, yet {} takes {:.6g} s a step and {} takes {:.6g} s", pair.order.cost,
            pair.nameOfMore(), *more.result->speed.stepSeconds, pair.nameOfFewer(), *fewer.result->speed.stepSeconds)));
    findings.back().isSuspicion =
        !fewer.result->isPredicted && std::min(fewer.processes(), more.processes()) < kFewestProcesses;
}

void judgeOrder(
    const config::MonotoneOrder& order, const EngagedTrial& fewer, const EngagedTrial& more, Findings& findings)
{
    if (order.step && fewer.trial->result->workloadText("step") != config::toText(*order.step))
        return;
    const auto fewerLevel = order.level(fewer.engagement);
    const auto moreLevel = order.level(more.engagement);
    if (!fewerLevel || !moreLevel || !order.isClearlyMore(fewer.engagement, more.engagement))
        return;
    const OrderedPair pair{order, *fewer.trial, *more.trial, *fewerLevel, *moreLevel};
    judgeOrderOfPeaks(pair, findings);
    if (order.costsTime && order.costsTime(more.engagement))
        judgeOrderOfTimes(pair, findings);
}

// The record may come from a version that had other techniques.
bool keepsWeights(const JudgedTrial& trial, const std::string& key)
{
    return std::ranges::any_of(config::techniqueCatalogue(), [&](const auto& technique) {
        return technique.key == key && technique.keepsWeights;
    }) || trial.result->isOff(key);
}

void judgeStatic(const JudgedTrial& trial, Findings& findings)
{
    const bool areKept =
        std::ranges::all_of(trial.settings, [&](const auto& entry) { return keepsWeights(trial, entry.first); });
    if (!trial.result->model.weightBytes || !trial.peakBytes || !areKept)
        return;
    // A captured model may have weights that its forward does not read, and that get no gradient: the images' tower of
    // a model that was captured with text alone.
    const bool hasGradients = trial.result->workloadText("step") != "inference" && !trial.result->model.imported;
    const Bytes staticBytes = *trial.result->model.weightBytes * (hasGradients ? 2 : 1);
    if (*trial.peakBytes < staticBytes)
        findings.push_back({"implausible",
            fmt::format("a step cannot peak below what is alive throughout, yet {} peaks at {} bytes with {} bytes of "
                        "weights{}",
                trial.name, *trial.peakBytes, staticBytes, hasGradients ? " and gradients" : ""),
            {trial.index}});
}

bool sparesOperations(const JudgedTrial& trial)
{
    return std::ranges::any_of(config::techniqueCatalogue(),
        [&](const auto& technique) { return technique.sparesOperations && !trial.result->isOff(technique.key); });
}

void judgeRate(const JudgedTrial& trial, const PeakFlops& peakFlops, Findings& findings)
{
    const auto peak = peakFlops ? peakFlops(trial.result->device) : std::nullopt;
    if (!peak || sparesOperations(trial) || !trial.result->speed.stepSeconds || *trial.result->speed.stepSeconds <= 0)
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

bool isSamePrediction(const JudgedTrial& trial, const JudgedTrial& baseline)
{
    const auto seconds = trial.result->speed.stepSeconds;
    const auto before = baseline.result->speed.stepSeconds;
    return seconds && before && isWithinMargin(*seconds, *before, kSamePrediction)
        && *trial.peakBytes == *baseline.peakBytes;
}

bool isSameMeasurement(const JudgedTrial& trial, const JudgedTrial& baseline)
{
    return isSameSpeed(trial, baseline) && outputDeviation(trial).value_or(1) <= kSameOutput
        && isWithinMargin(double(*trial.peakBytes), double(*baseline.peakBytes), kSamePeak);
}

void judgeEffect(const JudgedTrial& trial, const JudgedTrial& baseline, Findings& findings)
{
    if (trial.result->isBaseline() || !trial.peakBytes || !baseline.peakBytes)
        return;
    if (trial.result->isPredicted && isSamePrediction(trial, baseline))
        findings.push_back({"no_effect",
            fmt::format("predicted peak and speed are those of the baseline {}", baseline.name), {trial.index}});
    if (!trial.result->isPredicted && isSameMeasurement(trial, baseline))
        findings.push_back({"no_effect",
            fmt::format("peak, speed and output are those of the baseline {} within noise", baseline.name),
            {trial.index}});
}

std::vector<EngagedTrial> engagedIn(
    const std::vector<const JudgedTrial*>& group, const config::TechniqueDescriptor& technique)
{
    std::vector<EngagedTrial> engaged;
    for (const JudgedTrial* trial : group)
        engaged.push_back({trial, engagementOf(*trial, technique)});
    return engaged;
}

void judgePairs(const config::MonotoneOrder& order, const std::vector<EngagedTrial>& group, Findings& findings)
{
    for (const EngagedTrial& left : group)
        for (const EngagedTrial& right : group)
            judgeOrder(order, left, right, findings);
}

// Judges every pair of trials, in both orders, that differ in the technique alone.
void judgeOrders(const Trials& trials, const config::TechniqueDescriptor& technique, Findings& findings)
{
    if (technique.orders.empty())
        return;
    std::map<std::string, std::vector<const JudgedTrial*>> groups;
    for (const JudgedTrial& trial : trials)
        groups[trial.apartFrom(technique.key)].push_back(&trial);
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    for (const config::MonotoneOrder& order : technique.orders)
        for (const auto& [key, group] : groups)
            judgePairs(order, engagedIn(group, technique), findings);
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
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        judgeOrders(trials, technique, findings);
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
    for (const Finding& finding : findingsOf(completedTrials(results, Judged::Measured), {}))
        if (finding.isSuspicion)
            trials.insert(finding.trials.begin(), finding.trials.end());
    return {trials.begin(), trials.end()};
}

} // namespace headroom::experiments
