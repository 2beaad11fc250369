// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/Plausibility.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/RecordFlags.h"
#include "experiments/verdict/TrialFacts.h"

#include <fmt/format.h>

#include <algorithm>
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

using Trials = std::vector<TrialFacts>;
using Findings = std::vector<Finding>;

Finding implausible(const TrialFacts& left, const TrialFacts& right, const std::string& reason)
{
    return {"implausible", reason, {left.index, right.index}};
}

bool needsMore(const TrialFacts& left, const TrialFacts& right)
{
    if (!left.peakBytes || !right.peakBytes)
        return false;
    const auto margin = std::max(static_cast<double>(kRoundingBytes), kMemoryMargin * double(*right.peakBytes));
    return static_cast<double>(*left.peakBytes) > static_cast<double>(*right.peakBytes) + margin;
}

// Beyond the intervals and beyond the margin.
bool isSlower(const TrialFacts& left, const TrialFacts& right)
{
    if (!left.interval || !right.interval)
        return false;
    const double margin = left.isPredicted ? kPredictedSpeedMargin : kMeasuredSpeedMargin;
    return left.interval->low > right.interval->high && *left.stepSeconds > *right.stepSeconds * (1 + margin);
}

config::TechniqueEngagement engagementOf(const TrialFacts& trial, const config::TechniqueDescriptor& technique)
{
    const auto notation = trial.notations.find(technique.key);
    if (notation == trial.notations.end())
        return {.notation = technique.off, .options = {}, .counters = {}};
    const auto counters = trial.counters.find(technique.key);
    return {.notation = notation->second,
        .options = trial.settings.at(technique.key).substr(notation->second.size()),
        .counters = counters == trial.counters.end() ? std::map<std::string, std::int64_t>() : counters->second};
}

/// Two trials that differ in one technique alone, the second with clearly more of it.
struct OrderedPair {
    const config::MonotoneOrder& order;
    const TrialFacts& fewer;
    const TrialFacts& more;
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
    const TrialFacts& fewer = pair.fewer;
    const TrialFacts& more = pair.more;
    if (fewer.isPressured || more.isPressured || !isSlower(fewer, more))
        return;
    findings.push_back(implausible(fewer, more,
        fmt::format("{} cannot save time, yet {} takes {:.6g} s a step and {} takes {:.6g} s", pair.order.cost,
            pair.nameOfMore(), *more.stepSeconds, pair.nameOfFewer(), *fewer.stepSeconds)));
    findings.back().isSuspicion = !fewer.isPredicted && std::min(fewer.processes, more.processes) < kFewestProcesses;
}

void judgeOrder(const config::TechniqueDescriptor& technique, const config::MonotoneOrder& order,
    const TrialFacts& fewer, const TrialFacts& more, Findings& findings)
{
    if (order.step && fewer.step != config::toText(*order.step))
        return;
    const config::TechniqueEngagement few = engagementOf(fewer, technique);
    const config::TechniqueEngagement many = engagementOf(more, technique);
    const auto fewerLevel = order.level(few);
    const auto moreLevel = order.level(many);
    if (!fewerLevel || !moreLevel || !order.isClearlyMore(few, many))
        return;
    const OrderedPair pair{order, fewer, more, *fewerLevel, *moreLevel};
    judgeOrderOfPeaks(pair, findings);
    if (order.costsTime && order.costsTime(many))
        judgeOrderOfTimes(pair, findings);
}

// A record may be of a version that knew other techniques.
bool keepsWeights(const TrialFacts& trial, const std::string& key)
{
    return std::ranges::any_of(config::techniqueCatalogue(), [&](const auto& technique) {
        return technique.key == key && technique.keepsWeights;
    }) || trial.isOff(key);
}

void judgeStatic(const TrialFacts& trial, Findings& findings)
{
    const bool areKept =
        std::ranges::all_of(trial.notations, [&](const auto& entry) { return keepsWeights(trial, entry.first); });
    if (!trial.weightBytes || !trial.peakBytes || !areKept)
        return;
    const bool isTraining = trial.step != "inference";
    const Bytes staticBytes = *trial.weightBytes * (isTraining ? 2 : 1);
    if (*trial.peakBytes < staticBytes)
        findings.push_back({"implausible",
            fmt::format("a step cannot peak below what is alive throughout, yet {} peaks at {} bytes with {} bytes of "
                        "weights{}",
                trial.name, *trial.peakBytes, staticBytes, isTraining ? " and gradients" : ""),
            {trial.index}});
}

bool sparesOperations(const TrialFacts& trial)
{
    return std::ranges::any_of(config::techniqueCatalogue(),
        [&](const auto& technique) { return technique.sparesOperations && !trial.isOff(technique.key); });
}

void judgeRate(const TrialFacts& trial, const PeakFlops& peakFlops, Findings& findings)
{
    const auto peak = peakFlops ? peakFlops(trial.device) : std::nullopt;
    if (!peak || sparesOperations(trial) || !trial.stepSeconds || *trial.stepSeconds <= 0)
        return;
    const double rate = trial.flopsPerStep / *trial.stepSeconds;
    if (rate > *peak)
        findings.push_back({"implausible",
            fmt::format("no step can be faster than the device's arithmetic, yet {} runs {:.4g} operations a second "
                        "and {} has at most {:.4g}",
                trial.name, rate, trial.device, *peak),
            {trial.index}});
}

bool isWithinMargin(double left, double right, double margin)
{
    return std::abs(left - right) <= margin * right;
}

bool isSameSpeed(const TrialFacts& left, const TrialFacts& right)
{
    if (!left.interval || !right.interval)
        return false;
    const bool overlap = left.interval->low <= right.interval->high && right.interval->low <= left.interval->high;
    return overlap || isWithinMargin(*left.stepSeconds, *right.stepSeconds, kSameSpeed);
}

void judgeEffect(const TrialFacts& trial, const TrialFacts& baseline, Findings& findings)
{
    if (trial.isBaseline() || !trial.peakBytes || !baseline.peakBytes || !isSameSpeed(trial, baseline))
        return;
    const bool isSameOutput = trial.isPredicted || trial.outputRelL2.value_or(1) <= kSameOutput;
    if (isSameOutput && isWithinMargin(double(*trial.peakBytes), double(*baseline.peakBytes), kSamePeak))
        findings.push_back({"no_effect",
            fmt::format("peak, speed and output are those of the baseline {} within noise", baseline.name),
            {trial.index}});
}

// Every two trials, both ways, that are equal in everything but the technique.
void judgeOrders(const Trials& trials, const config::TechniqueDescriptor& technique, Findings& findings)
{
    if (technique.orders.empty())
        return;
    std::map<std::string, std::vector<const TrialFacts*>> groups;
    for (const TrialFacts& trial : trials)
        groups[trial.apartFrom(technique.key)].push_back(&trial);
    for (const config::MonotoneOrder& order : technique.orders)
        for (const auto& [key, group] : groups)
            for (const TrialFacts* left : group)
                for (const TrialFacts* right : group)
                    judgeOrder(technique, order, *left, *right, findings);
}

void judgeEffects(const Trials& trials, Findings& findings)
{
    std::map<std::string, const TrialFacts*> baselines;
    for (const TrialFacts& trial : trials)
        if (trial.isBaseline())
            baselines.emplace(trial.task(), &trial);
    for (const TrialFacts& trial : trials)
        if (const auto baseline = baselines.find(trial.task()); baseline != baselines.end())
            judgeEffect(trial, *baseline->second, findings);
}

Findings findingsOf(const Trials& trials, const PeakFlops& peakFlops)
{
    Findings findings;
    for (const TrialFacts& trial : trials) {
        judgeStatic(trial, findings);
        judgeRate(trial, peakFlops, findings);
    }
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        judgeOrders(trials, technique, findings);
    judgeEffects(trials, findings);
    return findings;
}

} // namespace

void applyPlausibility(std::vector<OrderedJson>& records, const PeakFlops& peakFlops)
{
    for (const Finding& finding : findingsOf(completedTrials(records), peakFlops))
        for (const std::size_t trial : finding.trials)
            if (!finding.isSuspicion)
                addFlag(records[trial], finding.flag, finding.reason);
}

std::vector<std::size_t> contradictingTrials(const std::vector<OrderedJson>& records)
{
    std::set<std::size_t> trials;
    for (const Finding& finding : findingsOf(completedTrials(records), {}))
        if (finding.isSuspicion)
            trials.insert(finding.trials.begin(), finding.trials.end());
    return {trials.begin(), trials.end()};
}

} // namespace headroom::experiments
