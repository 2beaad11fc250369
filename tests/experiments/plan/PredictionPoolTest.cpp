// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PredictionPool.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/experiments/run/ScriptedEnvironment.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

namespace headroom::experiments::prediction_pool_test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kLengthUnit = 64;

config::Trial trialOfLength(std::int64_t length, const std::string& device = "sim:t4")
{
    SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny");
    overrides.set("workload.sequence_length", std::to_string(length), "--set workload.sequence_length");
    overrides.setDevices(device);
    return expand(loadOverrides(overrides)).front().trial;
}

// Lengths 64, 128, ...
std::vector<config::Trial> trials(std::size_t count)
{
    std::vector<config::Trial> result;
    for (std::size_t i = 1; i <= count; ++i)
        result.push_back(trialOfLength(static_cast<std::int64_t>(i) * kLengthUnit));
    return result;
}

std::int64_t lengthOf(const TrialPrediction& prediction)
{
    return prediction.trial.configuration.workload.shapes.at("sequence_length").integer();
}

std::vector<std::int64_t> lengthsOf(const std::vector<TrialPrediction>& predictions)
{
    std::vector<std::int64_t> lengths;
    for (const TrialPrediction& prediction : predictions)
        lengths.push_back(lengthOf(prediction));
    return lengths;
}

std::vector<Outcome> outcomesOf(const std::vector<TrialPrediction>& predictions)
{
    std::vector<Outcome> outcomes;
    for (const TrialPrediction& prediction : predictions)
        outcomes.push_back(prediction.result.outcome);
    return outcomes;
}

// With the scripted worker.
class PredictionPoolTest : public ScriptedEnvironment {
protected:
    EnvironmentVariable m_worker{"HEADROOM_WORKER", worker().string()};
    EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
};

// The first trial is the slowest: the others are done before it.
TEST_F(PredictionPoolTest, answersInTheOrderOfTheTrialsWhicheverIsFaster)
{
    script("slow@64");
    PredictionPool pool(3);
    std::vector<std::size_t> told;
    const auto predictions = pool.predictAll(
        trials(12), PredictionDepth::Card, {}, [&](std::size_t index, const TrialPrediction& prediction) {
            EXPECT_EQ(lengthOf(prediction), static_cast<std::int64_t>(index + 1) * kLengthUnit);
            told.push_back(index);
        });
    EXPECT_THAT(told, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_EQ(lengthsOf(predictions).back(), 12 * kLengthUnit);
    EXPECT_THAT(outcomesOf(predictions), Each(Outcome::Completed));
    EXPECT_THAT(logged("request"), testing::SizeIs(12));
}

TEST_F(PredictionPoolTest, eachWorkerIsResidentAcrossCalls)
{
    script("slow"); // so that every worker gets its share
    PredictionPool pool(2);
    pool.predictAll(trials(6), PredictionDepth::Card);
    pool.predictAll(trials(6), PredictionDepth::Card);
    EXPECT_THAT(logged("start"), testing::SizeIs(2));
    EXPECT_THAT(logged("request"), testing::SizeIs(12));
}

TEST_F(PredictionPoolTest, noTrialsNeedNoWorker)
{
    PredictionPool pool(2);
    EXPECT_TRUE(pool.predictAll({}, PredictionDepth::Card).empty());
    EXPECT_TRUE(logged("start").empty());
}

// It dies with each trial of that length; that one's second try fails too, and all others are answered.
TEST_F(PredictionPoolTest, aDyingWorkerIsReplacedAndOnlyItsTrialFails)
{
    script("kill@192");
    PredictionPool pool(2);
    const auto predictions = pool.predictAll(trials(8), PredictionDepth::Card);
    EXPECT_THAT(predictions[2].remark, HasSubstr("started again"));
    EXPECT_EQ(predictions[2].result.outcome, Outcome::Failed);
    EXPECT_EQ(std::ranges::count_if(predictions, &TrialPrediction::isWhole), 7);
}

TEST_F(PredictionPoolTest, asksForTheNeedOfWhatDoesNotFitIfItIsWanted)
{
    script("oom");
    PredictionPool pool(2);
    const auto onCard = pool.predictAll(trials(2), PredictionDepth::Card);
    EXPECT_THAT(logged("request"), testing::SizeIs(2));
    EXPECT_FALSE(onCard[0].need);
    EXPECT_EQ(onCard[0].verdict.kind, FitVerdict::Kind::DoesNotFit);
    const auto whole = pool.predictAll(trials(2), PredictionDepth::CardAndNeed);
    EXPECT_THAT(logged("request"), testing::SizeIs(6));
    EXPECT_TRUE(whole[1].need);
}

TEST_F(PredictionPoolTest, aStopEndsTheTrialsThatRunAndLeavesTheRest)
{
    script("hang@128");
    PredictionPool pool(2);
    std::stop_source stop;
    const auto predictions = pool.predictAll(
        trials(50), PredictionDepth::Card, stop.get_token(), [&](std::size_t index, const TrialPrediction&) {
            if (index == 0)
                stop.request_stop();
        });
    EXPECT_EQ(predictions[0].result.outcome, Outcome::Completed);
    EXPECT_EQ(predictions[1].result.outcome, Outcome::Cancelled);
    EXPECT_EQ(predictions[49].result.outcome, Outcome::Cancelled);
    const std::vector<config::Trial> others{trialOfLength(kLengthUnit), trialOfLength(3 * kLengthUnit)};
    EXPECT_THAT(outcomesOf(pool.predictAll(others, PredictionDepth::Card)), Each(Outcome::Completed));
}

TEST_F(PredictionPoolTest, anErrorIsThrownInItsPlaceAndThePoolLivesOn)
{
    PredictionPool pool(2);
    std::vector<config::Trial> asked = trials(6);
    asked[2] = trialOfLength(kLengthUnit, "sim:tape-drive");
    std::vector<std::size_t> told;
    EXPECT_THROW(pool.predictAll(asked, PredictionDepth::Card, {},
                     [&](std::size_t index, const TrialPrediction&) { told.push_back(index); }),
        UsageError);
    EXPECT_THAT(told, ElementsAre(0, 1));
    EXPECT_THAT(outcomesOf(pool.predictAll(trials(3), PredictionDepth::Card)), Each(Outcome::Completed));
}

TEST_F(PredictionPoolTest, whatTheListenerThrowsEndsTheCall)
{
    PredictionPool pool(2);
    EXPECT_THROW(pool.predictAll(trials(20), PredictionDepth::Card, {},
                     [](std::size_t, const TrialPrediction&) { throw UsageError("enough", "test"); }),
        UsageError);
    EXPECT_LT(logged("request").size(), 20U);
    EXPECT_THAT(outcomesOf(pool.predictAll(trials(3), PredictionDepth::Card)), Each(Outcome::Completed));
}

TEST_F(PredictionPoolTest, hasAWorkerForEachCoreThatTheProcessMayUse)
{
    EXPECT_EQ(PredictionPool().workers(), coresOfThisProcess());
    EXPECT_EQ(PredictionPool(0).workers(), 1U);
}

} // namespace
} // namespace headroom::experiments::prediction_pool_test
