// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/FillSearch.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "tests/experiments/plan/FitTrials.h"

#include <gmock/gmock.h>

namespace headroom::experiments::fill_search_test {
namespace {

using fit_search_test::batchOf;
using fit_search_test::checkpointingOf;
using fit_search_test::completed;
using fit_search_test::trialOf;
using protocol::RepeatResult;
using testing::ElementsAre;
using testing::HasSubstr;
using End = FilledTrial::End;

constexpr Bytes kMemory = 100'000;

config::Trial withCheckpointing(const std::string& notation)
{
    config::Trial trial = trialOf();
    trial.configuration.techniques["checkpointing"].notation = notation;
    return trial;
}

FillTask taskOf(const config::Trial& trial, const std::string& axis = "batch")
{
    return {trial, WorkloadAxis(axis, trial, "--axis")};
}

// Each of the batch takes 9,000 bytes, with checkpointing 2,000.
RepeatResult onDevice(const config::Trial& trial)
{
    const Bytes each = checkpointingOf(trial) == "none" ? 9'000 : 2'000;
    return completed(10'500 + each * batchOf(trial), 1);
}

class FillSearchTest : public testing::Test {
protected:
    std::vector<FilledTrial> run(const std::vector<FillTask>& tasks, const std::stop_token& stop = {})
    {
        FillSearch search([this](const config::Trial& trial) { return m_predict(trial); },
            [](const config::Trial&, const RepeatResult& result) { return *result.memory.peak.reserved <= kMemory; },
            [](const config::Trial&) { return kMemory; });
        search.setProgress([this](const FillProgress& progress) { m_progress.push_back(progress); });
        return search.run(tasks, stop);
    }

    FillSearch::Predict m_predict = onDevice;
    std::vector<FillProgress> m_progress;
};

TEST_F(FillSearchTest, fillsEachCombination)
{
    const auto filled = run({taskOf(withCheckpointing("none")), taskOf(withCheckpointing("all"))});
    ASSERT_EQ(filled.size(), 2U);
    EXPECT_EQ(filled[0].value, 9);
    EXPECT_EQ(filled[0].next, 10);
    EXPECT_EQ(batchOf(filled[0].trial), 9);
    EXPECT_EQ(filled[1].value, 44);
    EXPECT_EQ(filled[1].next, 45);
    EXPECT_EQ(checkpointingOf(filled[1].trial), "all");
    ASSERT_FALSE(m_progress.empty());
    EXPECT_EQ(m_progress.back().simulations, filled[0].simulations + filled[1].simulations);
    EXPECT_EQ(m_progress.back().task, 1U);
}

TEST_F(FillSearchTest, whatDoesNotFitAtAllHasTheLeastValue)
{
    m_predict = [](const config::Trial&) { return completed(kMemory + 1, 1); };
    const auto filled = run({taskOf(trialOf(16))}).front();
    EXPECT_EQ(filled.end, End::NothingFits);
    EXPECT_EQ(filled.value, std::nullopt);
    EXPECT_EQ(filled.next, 1);
    EXPECT_EQ(batchOf(filled.trial), 1);
}

TEST_F(FillSearchTest, aBudgetThatCannotBeKeptDoesNotFit)
{
    m_predict = [](const config::Trial& trial) {
        RepeatResult result = completed(1, 1);
        if (batchOf(trial) > 20) {
            result.outcome = Outcome::Failed;
            result.reason =
                "checkpointing = budget:20GiB: a step needs at least 25.4 GiB of allocated memory, whatever is "
                "recomputed (valid: budget:27273042329 or more)";
        }
        return result;
    };
    const auto filled = run({taskOf(trialOf(16))}).front();
    EXPECT_EQ(filled.end, End::Found) << filled.reason;
    EXPECT_EQ(filled.value, 20);
    EXPECT_EQ(filled.next, 21);
    EXPECT_EQ(filled.reason, "");
}

TEST_F(FillSearchTest, aPredictionThatFailsEndsItsOwnSearchAlone)
{
    m_predict = [](const config::Trial& trial) {
        RepeatResult result = onDevice(trial);
        if (checkpointingOf(trial) == "none") {
            result.outcome = Outcome::Failed;
            result.reason = "the worker crashed";
        }
        return result;
    };
    const auto filled = run({taskOf(withCheckpointing("none")), taskOf(withCheckpointing("all"))});
    EXPECT_EQ(filled[0].end, End::Failed);
    EXPECT_EQ(filled[0].reason, "batch 1: the worker crashed");
    EXPECT_EQ(filled[1].end, End::Found);
}

TEST_F(FillSearchTest, whenStoppedItSaysWhatIsKnownToFit)
{
    std::stop_source stop;
    m_predict = [&](const config::Trial& trial) {
        if (batchOf(trial) > 1)
            stop.request_stop();
        return onDevice(trial);
    };
    const auto filled = run({taskOf(withCheckpointing("none")), taskOf(withCheckpointing("all"))}, stop.get_token());
    EXPECT_EQ(filled[0].end, End::Cancelled);
    EXPECT_EQ(filled[0].value, 2);
    EXPECT_EQ(filled[1].end, End::Cancelled);
    EXPECT_EQ(filled[1].simulations, 0U);
}

TEST_F(FillSearchTest, whatWorksWithNoValueIsNotSimulated)
{
    config::Trial trial = trialOf();
    trial.configuration.techniques["casting"].notation = "e4m3"; // cast weights are not trained
    const auto filled = run({taskOf(trial)}).front();
    EXPECT_EQ(filled.end, End::CannotWork);
    EXPECT_FALSE(filled.reason.empty());
    EXPECT_TRUE(m_progress.empty());
}

TEST(WorkloadAxisTest, framesStepAsTheModelWantsThem)
{
    const config::Trial trial = trialOf();
    const AxisValues frames(WorkloadAxis("frames", trial, "--axis"), trial);
    EXPECT_EQ(frames.atOrBelow(120), 113);
    EXPECT_EQ(frames.above(113), 121);
    EXPECT_EQ(frames.above(0), 1);
    EXPECT_EQ(frames.atOrBelow(0), std::nullopt);
    EXPECT_THAT(frames.problemWith(120), HasSubstr("113 or 121"));
    const AxisValues height(WorkloadAxis("workload.height", trial, "--axis"), trial);
    EXPECT_EQ(height.above(96), 128);
}

TEST(WorkloadAxisTest, slicesNarrowTheValues)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "test");
    trial.configuration.workload.shapes["batch"] = 1;
    trial.configuration.techniques["split_ffn"] =
        config::makeSetting(config::findTechnique("split_ffn", "test"), "tokens:7", {}, "test");
    const AxisValues lengths(WorkloadAxis("sequence_length", trial, "--axis"), trial);
    EXPECT_EQ(lengths.above(0), 7);
    EXPECT_EQ(lengths.above(7), 14);
    EXPECT_EQ(lengths.atOrBelow(1000), 994);
    EXPECT_THAT(lengths.problemWith(8), HasSubstr("tokens:7"));
    EXPECT_EQ(lengths.problemWith(14), "");
}

TEST(WorkloadAxisTest, namesWhatThereIs)
{
    const config::Trial trial = trialOf();
    EXPECT_THAT(
        WorkloadAxis::namesIn(trial), ElementsAre("batch", "frames", "height", "width", "text_tokens", "accumulate"));
    try {
        WorkloadAxis("frame", trial, "--axis");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_EQ(error.where(), "--axis");
        EXPECT_THAT(error.problem(), HasSubstr("did you mean \"frames\"?"));
        EXPECT_THAT(error.valid(), HasSubstr("batch, frames, height"));
    }
}

TEST(WorkloadAxisTest, microStepsAreAnAxis)
{
    const config::Trial trial = trialOf();
    const WorkloadAxis axis("accumulate", trial, "--axis");
    EXPECT_TRUE(axis.isCount());
    EXPECT_EQ(axis.with(trial, 4).configuration.workload.accumulate, 4);
    EXPECT_EQ(axis.valueIn(axis.with(trial, 4)), 4);
    EXPECT_FALSE(WorkloadAxis("batch", trial, "--axis").isCount());
}

TEST(WithMemoryTest, takesTheContextOffAndLeavesASmallerDeviceAlone)
{
    simulator::MemoryProfile card;
    card.usableBytes.value = 10 * kGiB;
    card.contextBytes.value = kGiB / 2;
    EXPECT_EQ(withMemory(trialOf(), 4 * kGiB, card, "--memory").memoryLimitBytes, 4 * kGiB - kGiB / 2);
    EXPECT_EQ(withMemory(trialOf(), 24 * kGiB, card, "--memory").memoryLimitBytes, std::nullopt);
    EXPECT_THROW(withMemory(trialOf(), kGiB / 4, card, "--memory"), UsageError);
}

} // namespace
} // namespace headroom::experiments::fill_search_test
