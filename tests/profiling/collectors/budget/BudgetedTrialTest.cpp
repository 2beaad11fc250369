// SPDX-License-Identifier: Apache-2.0
//
// Budgets through the real measurement: the peak of a trial is within the budget it was planned for, and no policy made
// by hand that stays within it is faster.
#include "profiling/collectors/budget/BudgetedTrial.h"

#include "core/base/Error.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace headroom::collectors::budgeted_trial_test {
namespace {

using testing::HasSubstr;

constexpr double kTie = 1.01;

struct Subject {
    const char* model;
    const char* device;
    config::ValueMap fields{};
    config::ValueMap workload{};
};

config::Trial trialOfSubject(const Subject& subject, const std::string& checkpointing)
{
    config::ValueMap workload = subject.workload;
    workload.emplace("step", "forward_backward");
    config::Trial trial = trialOfModel(subject.model, subject.device, subject.fields, workload);
    checkpoint(trial, checkpointing);
    return trial;
}

BudgetedTrial planned(const config::Trial& trial)
{
    SilentListener listener;
    return planBudget(trial, profiles().simulatedDevice(trial), listener);
}

BudgetedTrial planned(const Subject& subject, Bytes budget)
{
    return planned(trialOfSubject(subject, "budget:" + std::to_string(budget)));
}

struct Figures {
    Bytes peak = 0;
    double seconds = 0;
};

Figures figuresOf(const config::Trial& trial)
{
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    return {std::max(result.memory.peak.allocated.value_or(-1), result.memory.firstStepPeak.allocated.value_or(-1)),
        result.stepSeconds.empty() ? 0 : result.stepSeconds.front()};
}

std::vector<Figures> byHand(const Subject& subject)
{
    std::vector<Figures> all;
    for (const char* notation : {"none", "all", "every:2", "ops", "ops:mm/2", "strategy:all_but_last"})
        all.push_back(figuresOf(trialOfSubject(subject, notation)));
    return all;
}

double fastestWithin(const std::vector<Figures>& all, Bytes budget)
{
    double fastest = std::numeric_limits<double>::infinity();
    for (const Figures& figures : all)
        if (figures.peak <= budget)
            fastest = std::min(fastest, figures.seconds);
    return fastest;
}

// Sizes between the least and the most that policies by hand take, and those sizes themselves.
void expectWithinAndFastest(const Subject& subject, int sizes)
{
    const std::vector<Figures> hand = byHand(subject);
    const Bytes least = std::ranges::min(hand, {}, &Figures::peak).peak;
    const Bytes most = std::ranges::max(hand, {}, &Figures::peak).peak;
    std::mt19937_64 random(21);
    std::vector<Bytes> budgets{least, most};
    for (int i = 0; i < sizes; ++i)
        budgets.push_back(std::uniform_int_distribution<Bytes>(least, most)(random));
    for (const Bytes budget : budgets) {
        const BudgetedTrial plan = planned(subject, budget);
        const Figures figures = figuresOf(plan.trial);
        EXPECT_LE(figures.peak, budget) << subject.model << ": " << plan.notation;
        EXPECT_EQ(figures.peak, plan.peakBytes) << subject.model << ": " << plan.notation;
        EXPECT_LE(figures.seconds, fastestWithin(hand, budget) * kTie)
            << subject.model << " " << budget << ": " << plan.notation;
    }
}

TEST(BudgetedTrial, ATinyModelStaysWithinEverySize)
{
    expectWithinAndFastest({.model = "ltx-video-tiny", .device = "sim:a100-80gb", .fields = {{"num_layers", 6}}}, 5);
    expectWithinAndFastest({.model = "llama-tiny", .device = "sim:rtx4090", .fields = {{"num_hidden_layers", 6}}}, 5);
    expectWithinAndFastest({.model = "flux-tiny", .device = "sim:h100-80gb"}, 5);
    expectWithinAndFastest({.model = "ffn-stack-tiny", .device = "sim:cpu", .fields = {{"num_layers", 8}}}, 5);
}

TEST(BudgetedTrial, LtxVideoStaysWithinItsSize)
{
    expectWithinAndFastest(
        {.model = "ltx-video-2b", .device = "sim:a100-80gb", .workload = {{"dtype", "bfloat16"}, {"frames", 25}}}, 1);
}

// Steps and whole trials order the smallest policies otherwise here.
TEST(BudgetedTrial, WhatRecomputingEverythingTakesIsEnough)
{
    const Subject subject{
        .model = "ltx-video-2b", .device = "sim:a100-80gb", .workload = {{"frames", 49}, {"dtype", "bfloat16"}}};
    const Bytes least = figuresOf(trialOfSubject(subject, "all")).peak;
    EXPECT_LE(planned(subject, least).peakBytes, least);
}

TEST(BudgetedTrial, TrainingCountsGradientsAndState)
{
    expectWithinAndFastest({.model = "llama-tiny",
                               .device = "sim:a100-80gb",
                               .fields = {{"num_hidden_layers", 8}},
                               .workload = {{"step", "train"}, {"accumulate", 2}, {"sequence_length", 512}}},
        4);
}

TEST(BudgetedTrial, WhatIsLessThanTheLeastIsRefusedWithTheLeast)
{
    const Subject subject{.model = "ltx-video-tiny", .device = "sim:a100-80gb"};
    std::string refused;
    try {
        planned(subject, 1000);
    } catch (const TrialError& error) {
        refused = error.what();
    }
    EXPECT_THAT(refused, HasSubstr("checkpointing = budget:1000: a step needs at least "));
    const std::size_t at = refused.find("(valid: budget:");
    ASSERT_NE(at, std::string::npos) << refused;
    const std::string least = refused.substr(at + 8, refused.find(" or more") - at - 8);
    const config::Trial trial = trialOfSubject(subject, least);
    EXPECT_LE(figuresOf(planned(trial).trial).peak, config::budgetOf(least).value()) << "the least is possible";
}

TEST(BudgetedTrial, ASizeThatNeedsNoRecomputationRecomputesNothing)
{
    EXPECT_EQ(planned({.model = "ffn-stack-tiny", .device = "sim:a100-80gb"}, 64 * kGiB).notation, "none");
}

TEST(BudgetedTrial, OtherTechniquesAndInputsOnTheHostArePlannedFor)
{
    const Subject subject{.model = "ltx-video-tiny", .device = "sim:a100-80gb", .fields = {{"num_layers", 6}}};
    const Bytes all = figuresOf(trialOfSubject(subject, "all")).peak;
    config::Trial trial = trialOfSubject(subject, "budget:" + std::to_string(all) + "+offload");
    split(trial, "2");
    const BudgetedTrial plan = planned(trial);
    EXPECT_LE(figuresOf(plan.trial).peak, all);
    EXPECT_EQ(plan.trial.configuration.techniques.at("split_ffn").notation, "2");
    EXPECT_TRUE(plan.notation == "none" || plan.notation.ends_with("+offload")) << plan.notation;
}

// What is planned on the simulated CPU holds on the CPU, to the byte.
TEST(BudgetedTrial, TheCpuTakesWhatWasPlannedForIt)
{
    const Subject subject{.model = "ffn-stack-tiny", .device = "sim:cpu", .fields = {{"num_layers", 6}}};
    const Bytes all = figuresOf(trialOfSubject(subject, "all")).peak;
    const Bytes none = figuresOf(trialOfSubject(subject, "none")).peak;
    const BudgetedTrial plan = planned(subject, (all + none) / 2);
    config::Trial onCpu = plan.trial;
    onCpu.device = config::parseDevice("cpu", "");
    EXPECT_EQ(peakOf(onCpu), peakOf(plan.trial)) << plan.notation;
    EXPECT_LE(peakOf(onCpu), (all + none) / 2);
}

} // namespace
} // namespace headroom::collectors::budgeted_trial_test
