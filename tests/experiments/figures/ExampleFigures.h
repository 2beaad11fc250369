// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/CategoryBarsFigure.h"
#include "experiments/figures/memory/PeakBarsFigure.h"
#include "experiments/figures/memory/TimelineFigure.h"
#include "experiments/figures/tradeoff/TradeoffFigure.h"

#include <random>
#include <string>

namespace headroom::figures {

inline Bytes gib(double size)
{
    return static_cast<Bytes>(size * static_cast<double>(kGiB));
}

inline TradeoffTrial completed(std::string label, double peakGiB, double perSecond)
{
    TradeoffTrial trial;
    trial.id = "id " + label;
    trial.label = std::move(label);
    trial.peak = gib(peakGiB);
    trial.perSecond = perSecond;
    return trial;
}

inline TradeoffTrial predicted(std::string label, double peakGiB, double perSecond)
{
    TradeoffTrial trial = completed(std::move(label), peakGiB, perSecond);
    trial.provenance = Provenance::Predicted;
    return trial;
}

inline TradeoffTrial outOfMemory(std::string label, std::string reason)
{
    TradeoffTrial trial;
    trial.id = "id " + label;
    trial.label = std::move(label);
    trial.outcome = Outcome::OutOfMemory;
    trial.reason = std::move(reason);
    return trial;
}

/// Four policies of one model under a budget that lies between them.
inline TradeoffInput fourPolicies()
{
    TradeoffInput input;
    input.title = "Peak memory against speed";
    input.budget = Budget{gib(24), "budget"};
    input.trials = {predicted("none", 26.7, 1.68), predicted("all", 9.3, 1.36), predicted("every:2", 17.7, 1.54),
        predicted("every:4", 22.2, 1.66)};
    return input;
}

/// Numbers that are the same on every machine, which distributions of the standard library are not.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_engine(seed)
    {
    }

    std::size_t below(std::size_t end) { return m_engine() % end; }
    double fraction() { return static_cast<double>(m_engine() >> 11U) * 0x1p-53; }

private:
    std::mt19937_64 m_engine;
};

inline TradeoffTrial randomTrial(Random& random)
{
    const std::string label = std::string(1 + random.below(24), static_cast<char>('a' + random.below(26)));
    // Few distinct places, so that many marks share one.
    TradeoffTrial trial =
        completed(label, 1 + static_cast<double>(random.below(40)) / 2, 1 + static_cast<double>(random.below(30)) / 10);
    trial.provenance = random.below(2) == 0 ? Provenance::Measured : Provenance::Predicted;
    trial.group = random.below(2) == 0 ? "cpu" : "sim:a100-80gb";
    if (random.below(2) == 0)
        trial.interval = Interval95{*trial.perSecond * 0.95, *trial.perSecond * 1.03};
    for (const Flag flag : {Flag::Pressured, Flag::NotSteady, Flag::NoEffect, Flag::Implausible})
        if (random.below(6) == 0)
            trial.flags.push_back(flag);
    return random.below(8) == 0 ? outOfMemory(label, "in backward, 3 GiB missing") : trial;
}

inline TradeoffInput randomTradeoff(std::uint64_t seed)
{
    Random random(seed);
    TradeoffInput input;
    input.title = "Random trials";
    if (random.below(2) == 0)
        input.budget = Budget{gib(2 + 30 * random.fraction()), "budget"};
    for (std::size_t count = random.below(60); count > 0; --count)
        input.trials.push_back(randomTrial(random));
    return input;
}

inline constexpr std::int64_t kMs = 1'000'000;

/// A step of 100 ms: load, forward and backward, the peak of 20 GiB at 40 ms.
inline TimelineInput oneStep()
{
    TimelineInput input;
    input.title = "One step";
    input.id = "trial";
    input.series = {
        {"allocated",
            {{0, 0, 0}, {10 * kMs, gib(4), gib(4)}, {40 * kMs, gib(18), gib(20)}, {70 * kMs, gib(5), gib(6)}}},
        {"reserved", {{0, 0, 0}, {10 * kMs, gib(5), gib(5)}, {40 * kMs, gib(22), gib(22)}}}};
    input.phases = {{"load", -1, 0, 10 * kMs}, {"step", 0, 10 * kMs, 100 * kMs}, {"forward", 0, 10 * kMs, 39 * kMs},
        {"backward", 0, 39 * kMs, 99 * kMs}, {"ema", 0, 99 * kMs, 100 * kMs}};
    input.endNs = 100 * kMs;
    return input;
}

/// The same, knowing whose the memory was: weights from 10 ms on, activations and temporaries at 40 ms.
inline TimelineInput ownedStep()
{
    using config::MemoryCategory;
    TimelineInput input = oneStep();
    for (const MemoryBin& bin : input.series.front().bins) {
        trace::CategoryBucket bucket{{bin.beginNs, bin.beginNs, bin.min, bin.max, bin.max}, {}};
        bucket.atMax.of(MemoryCategory::Weights) = std::min(bin.max, gib(4));
        bucket.atMax.of(MemoryCategory::Temporaries) = std::min(bin.max - bucket.atMax.total(), gib(1));
        bucket.atMax.of(MemoryCategory::SavedActivations) = bin.max - bucket.atMax.total();
        input.categories.push_back(bucket);
    }
    input.peakCategories = input.categories[2].atMax;
    return input;
}

/// Buckets in which each category comes and goes; the last instant ends them.
inline std::vector<trace::CategoryBucket> randomCategories(Random& random, std::size_t count, std::int64_t endNs)
{
    std::vector<trace::CategoryBucket> buckets;
    const auto widthNs = std::max<std::int64_t>(endNs / static_cast<std::int64_t>(count), 1);
    const std::size_t used = 1 + random.below(config::kMemoryCategoryCount);
    for (std::size_t i = 0; i < count; ++i) {
        trace::CategoryBucket bucket;
        for (std::size_t category = 0; category < used; ++category)
            if (random.below(3) > 0)
                bucket.atMax.bytes.at(category * 7 % config::kMemoryCategoryCount) = gib(random.fraction());
        const auto begin = static_cast<std::int64_t>(i) * widthNs;
        const Bytes most = bucket.atMax.total();
        bucket.allocated = {begin, begin + widthNs, most - most / static_cast<Bytes>(1 + random.below(4)), most, most};
        buckets.push_back(bucket);
    }
    return buckets;
}

inline PeakBarsInput threeBars()
{
    PeakBarsInput input;
    input.title = "Peaks";
    input.budget = Budget{gib(12), "budget"};
    input.rows = {{"a", "none", Provenance::Measured, Outcome::Completed, {}, gib(20), gib(4), gib(1), {}},
        {"b", "all", Provenance::Predicted, Outcome::Completed, {}, gib(9), {}, {}, {Flag::NotSteady}},
        {"c", "every:2", Provenance::Measured, Outcome::OutOfMemory, "in forward", {}, {}, {}, {}}};
    return input;
}

/// A peak of 20 GiB without, and one of 7 GiB with a technique, and a trial that ran out of memory.
inline CategoryBarsInput twoPeaks()
{
    using config::MemoryCategory;
    CategoryBarsInput input;
    input.title = "What the peaks consist of";
    trace::CategoryBytes first;
    first.of(MemoryCategory::Weights) = gib(4);
    first.of(MemoryCategory::SavedActivations) = gib(16);
    trace::CategoryBytes second = first;
    second.of(MemoryCategory::SavedActivations) = gib(1);
    second.of(MemoryCategory::RecomputedActivations) = gib(2);
    input.rows = {{"a", "none", Provenance::Measured, Outcome::Completed, {}, first, "backward", 0},
        {"b", "all", Provenance::Predicted, Outcome::Completed, {}, second, "backward", 0},
        {"c", "every:2", Provenance::Measured, Outcome::OutOfMemory, "in forward", {}, {}, 0}};
    return input;
}

} // namespace headroom::figures
