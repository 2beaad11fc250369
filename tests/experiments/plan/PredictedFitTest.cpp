// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PredictedFit.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/experiments/run/ScriptedEnvironment.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

namespace headroom::experiments::predicted_fit_test {
namespace {

using testing::HasSubstr;
using End = FitSearchResult::End;

// With the scripted worker: what it says of a trial is what the search is about.
class PredictedFitTest : public ScriptedEnvironment {
protected:
    static config::Trial trial(const std::string& device = "sim:t4")
    {
        SpecOverrides overrides;
        overrides.setModels("ffn-stack-tiny");
        overrides.set("workload.step", "forward_backward", "--set workload.step");
        overrides.setDevices(device);
        return expand(loadOverrides(overrides)).front().trial;
    }

    EnvironmentVariable m_worker{"HEADROOM_WORKER", worker().string()};
    EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
    TrialPredictor m_predictor;
};

TEST_F(PredictedFitTest, findsWhatTheWorkerSaysFits)
{
    script("tight");
    const TrialPrediction asked = m_predictor.predict(trial(), {});
    EXPECT_EQ(asked.verdict.kind, FitVerdict::Kind::DoesNotFit);
    ASSERT_TRUE(asked.need);
    EXPECT_EQ(asked.stepSeconds(), 0.5);
    const FitSearchResult result = searchForFit(m_predictor, trial(), {}, {});
    EXPECT_EQ(result.end, End::Found);
    ASSERT_EQ(result.found.size(), 1U);
    EXPECT_EQ(result.found.front().changes.front(), (SettingChange{"techniques.checkpointing", "none", "all"}));
    EXPECT_DOUBLE_EQ(speedLost(result.found.front(), trial(), asked.stepSeconds()).value(), 0.2);
}

// What does not fit needs no second simulation to be known not to.
TEST_F(PredictedFitTest, asksTheWorkerOnceForEachCombination)
{
    script("oom");
    m_predictor.predictOnCard(trial(), {});
    const std::size_t before = logged("request").size();
    const FitSearchResult result = searchForFit(m_predictor, trial(), {}, {});
    EXPECT_EQ(result.end, End::NothingFits);
    EXPECT_EQ(logged("request").size() - before, result.simulations);
}

TEST_F(PredictedFitTest, aWorkerThatDiesIsReplacedOnce)
{
    script("kill");
    const TrialPrediction prediction = m_predictor.predictOnCard(trial(), {});
    EXPECT_EQ(prediction.result.outcome, Outcome::Failed);
    EXPECT_THAT(prediction.remark, HasSubstr("started again"));
    EXPECT_FALSE(prediction.isWhole());
    EXPECT_EQ(logged("start").size(), 2U);
    script("");
    EXPECT_TRUE(m_predictor.predictOnCard(trial(), {}).isWhole());
}

TEST_F(PredictedFitTest, anUnknownCardIsRefusedBeforeAWorkerStarts)
{
    EXPECT_THROW(m_predictor.predict(trial("sim:tape-drive"), {}), UsageError);
    EXPECT_TRUE(logged("start").empty());
}

config::Trial trialOfBatch(std::int64_t batch)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ltx-video-tiny", "test");
    trial.configuration.workload.shapes["batch"] = batch;
    return trial;
}

TEST(SpeedLostTest, isOfSamplesNotOfSteps)
{
    FittingChange change{{}, trialOfBatch(2), 0, 1.5};
    // A step of 4 samples per second, against 1.5 steps of 2.
    EXPECT_DOUBLE_EQ(speedLost(change, trialOfBatch(4), 1.0).value(), 0.25);
    EXPECT_EQ(speedLost(change, trialOfBatch(4), std::nullopt), std::nullopt);
    change.stepsPerSecond.reset();
    EXPECT_EQ(speedLost(change, trialOfBatch(4), 1.0), std::nullopt);
}

TEST(SpeedLostTest, isReadAsAPartOfTheSpeed)
{
    EXPECT_EQ(speedLostText(0.2314), "23.1 %");
    EXPECT_EQ(speedLostText(0.0001), "none");
    EXPECT_EQ(speedLostText(-0.0001), "none");
    EXPECT_EQ(speedLostText(-0.021), "none, 2.1 % faster");
    EXPECT_EQ(speedLostText(std::nullopt), "");
}

TEST(HostMemoryTest, saysWhichKind)
{
    FittingChange change;
    EXPECT_EQ(hostMemoryText(change), "none");
    change.hostPinnedBytes = 2 * kGiB;
    EXPECT_EQ(hostMemoryText(change), "2.00 GiB pinned");
    change.hostPageableBytes = 26 * kGiB;
    EXPECT_EQ(hostMemoryText(change), "2.00 GiB pinned, 26.0 GiB pageable");
}

TEST(FitSentenceTest, aSearchThatDidNotComeToItsEndIsNeverTakenForAll)
{
    FitSearchResult result;
    result.simulations = 23;
    result.expectedSimulations = 60;
    result.found.resize(1);
    result.tried = {"checkpointing all"};
    result.end = End::Cancelled;
    EXPECT_EQ(sentenceFor(result), "Cancelled, search incomplete: 1 way found so far in 23 of about 60 combinations.");
    result.end = End::OutOfSimulations;
    EXPECT_EQ(sentenceFor(result),
        "Search incomplete: 1 way found in 23 combinations, after which it ends; there may be more.");
    result.end = End::Found;
    EXPECT_EQ(sentenceFor(result), "1 way predicted to fit, the simplest first, of 23 combinations.");
    result.failures = {"no answer within 30 s"};
    EXPECT_EQ(sentenceFor(result),
        "1 way predicted to fit, the simplest first, of 23 combinations. There may be more: predictions failed (no "
        "answer within 30 s).");
    result.failures.clear();
    result.found.clear();
    result.end = End::Cancelled;
    EXPECT_THAT(sentenceFor(result), HasSubstr("search incomplete: nothing found so far"));
    result.end = End::NothingFits;
    EXPECT_EQ(sentenceFor(result),
        "Nothing found that fits in 23 combinations, each of these alone and together: checkpointing all.");
    result.failures = {"the worker ended"};
    EXPECT_EQ(sentenceFor(result), "Nothing found. Predictions failed: the worker ended.");
    EXPECT_THAT(sentenceFor(FitSearchResult{}), HasSubstr("no technique has a setting that could help"));
}

} // namespace
} // namespace headroom::experiments::predicted_fit_test
