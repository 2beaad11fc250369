// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/BudgetJudge.h"

#include "core/base/Bytes.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/SpecLoader.h"

#include <gmock/gmock.h>

#include <cmath>

namespace headroom::experiments::budget_judge_test {
namespace {

using protocol::RepeatResult;
using testing::HasSubstr;

PlannedTrial planned(const std::string& device, const std::string& split = "2")
{
    return expand(loadSpecText("model.name = \"ffn-stack-tiny\"\ntechniques.split_ffn = \"" + split
                          + "\"\ndevice.name = \"" + device + "\"\n",
                      "spec.toml", {}))
        .front();
}

RepeatResult completed(std::vector<double> seconds = {0.5, 0.5, 0.5})
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = 5 * kGiB;
    result.memory.peak.reserved = 6 * kGiB;
    result.memory.peak.device = 7 * kGiB;
    result.stepSeconds = std::move(seconds);
    return result;
}

RepeatResult failed()
{
    RepeatResult result;
    result.outcome = Outcome::Failed;
    result.reason = "the worker crashed";
    return result;
}

// Needed 9 GiB for its own step where the limit is 8.
RepeatResult outOfMemory()
{
    RepeatResult result;
    result.outcome = Outcome::OutOfMemory;
    result.reason = "no memory left";
    result.memory.afterLoad.allocated = kGiB;
    result.memory.afterLoad.reserved = 2 * kGiB;
    result.memory.wholeRunPeak.reserved = 20 * kGiB; // of the model it is compared with
    result.memory.limit = 8 * kGiB;
    result.outOfMemory = protocol::OutOfMemoryFacts{"forward", 2 * kGiB, kGiB};
    return result;
}

TrialResult trial(const std::vector<RepeatResult>& repeats, const std::string& device = "sim:t4",
    const std::string& split = "2", std::optional<bool> fits = true)
{
    return trialResult("e", planned(device, split), repeats, [&](const auto&, const auto&) { return fits; });
}

BudgetVerdict verdict(const std::string& keys, const TrialResult& judged)
{
    const Budget budget = readBudgetText("[[budget]]\nname = \"b\"\n" + keys, "budgets.toml").at(0);
    return judge(budget, budget.limits.at(0), judged);
}

BudgetResult result(const std::string& keys, const TrialResult& judged)
{
    return verdict(keys, judged).result;
}

TEST(BudgetJudgeTest, comparesThePeakExactly)
{
    const TrialResult judged = trial({completed()});
    EXPECT_EQ(result("max_peak_gib = 6", judged), BudgetResult::Held);
    EXPECT_EQ(result("max_peak_gib = 5.999999999", judged), BudgetResult::Exceeded);
    EXPECT_EQ(result("max_peak_mib = 6143", judged), BudgetResult::Exceeded);
    EXPECT_EQ(result("max_peak_gib = 5\npeak = \"allocated\"", judged), BudgetResult::Held);
    EXPECT_EQ(result("max_peak_gib = 6.5\npeak = \"device\"", judged), BudgetResult::Exceeded);
}

TEST(BudgetJudgeTest, saysWhichFigureItComparedAndWhatIsPredicted)
{
    const BudgetVerdict found = verdict("max_peak_gib = 5.5", trial({completed()}));
    EXPECT_EQ(found.figure, "memory.peak.reserved_bytes");
    EXPECT_EQ(found.found, config::Value(6 * kGiB));
    EXPECT_EQ(found.allowed, config::Value(11 * kGiB / 2));
    EXPECT_TRUE(found.isPredicted);
    EXPECT_EQ(found.text, "predicted peak of reserved memory 6.000 GiB, more than 5.5 GiB");
}

TEST(BudgetJudgeTest, aDifferenceThatRoundingHidesIsSaidInBytes)
{
    RepeatResult repeat = completed();
    repeat.memory.peak.reserved = 6 * kGiB + 512;
    EXPECT_EQ(verdict("max_peak_gib = 6", trial({repeat})).text,
        "predicted peak of reserved memory 6442451456 bytes, more than 6 GiB");
}

TEST(BudgetJudgeTest, aLimitThatWasWorkedOutHasNoMoreDigitsThanThePeak)
{
    EXPECT_EQ(verdict("max_peak_gib = 5.3220703125", trial({completed()})).text,
        "predicted peak of reserved memory 6.000 GiB, more than 5.322 GiB");
    EXPECT_EQ(verdict("max_peak_gib = 7.3220703125", trial({completed()})).text,
        "predicted peak of reserved memory 6.000 GiB, within 7.322 GiB");
    EXPECT_EQ(verdict("max_peak_mib = 6144.00048828125", trial({completed()})).text,
        "predicted peak of reserved memory 6442450944 bytes, within 6442451456 bytes");
}

TEST(BudgetJudgeTest, takesAllocatedBytesWhereNothingIsReserved)
{
    RepeatResult repeat = completed();
    repeat.memory.peak.reserved.reset();
    const BudgetVerdict found = verdict("max_peak_gib = 5", trial({repeat}, "cpu"));
    EXPECT_EQ(found.result, BudgetResult::Held);
    EXPECT_EQ(found.figure, "memory.peak.allocated_bytes");
    EXPECT_THAT(found.text, HasSubstr("measured peak of allocated memory"));
}

TEST(BudgetJudgeTest, runningOutOfMemoryExceedsAPeakThatWasNeededForSure)
{
    const TrialResult judged = trial({outOfMemory()});
    EXPECT_EQ(result("max_peak_gib = 8.5", judged), BudgetResult::Exceeded);
    EXPECT_THAT(verdict("max_peak_gib = 8.5", judged).text, HasSubstr("needed at least 9.000 GiB of reserved memory"));
    EXPECT_EQ(result("max_peak_gib = 9", judged), BudgetResult::Undecided);
    // What is missing to the reserved memory says nothing about the allocated.
    EXPECT_EQ(result("max_peak_gib = 8\npeak = \"allocated\"", judged), BudgetResult::Undecided);
    EXPECT_TRUE(verdict("max_peak_gib = 8.5", judged).found.isNull());
}

TEST(BudgetJudgeTest, runningOutOfMemoryInTheBaselineSaysNothing)
{
    RepeatResult repeat = outOfMemory();
    repeat.outOfMemory->phase = "baseline";
    EXPECT_EQ(result("max_peak_gib = 1", trial({repeat})), BudgetResult::Undecided);
}

TEST(BudgetJudgeTest, aRepeatThatRanOutOfMemoryIsNotCoveredUpByTheOthers)
{
    RepeatResult other = completed();
    other.memory.limit = 8 * kGiB;
    EXPECT_EQ(result("max_peak_gib = 7", trial({other})), BudgetResult::Held);
    EXPECT_EQ(result("max_peak_gib = 7", trial({other, outOfMemory()})), BudgetResult::Exceeded);
    EXPECT_EQ(result("max_peak_gib = 10", trial({other, outOfMemory()})), BudgetResult::Undecided);
}

TEST(BudgetJudgeTest, aTrialWithoutTheFigureIsUndecidedWithItsReason)
{
    for (const char* keys : {"max_peak_gib = 9", "min_steps_per_second = 1", "max_output_rel_l2 = 1", "fits = true"}) {
        const BudgetVerdict found = verdict(keys, trial({failed()}));
        EXPECT_EQ(found.result, BudgetResult::Undecided) << keys;
        EXPECT_THAT(found.text, HasSubstr("failed: the worker crashed"));
    }
    RepeatResult bare;
    bare.outcome = Outcome::Completed;
    EXPECT_THAT(verdict("max_peak_gib = 9", trial({bare})).text, HasSubstr("memory.peak.allocated_bytes is not known"));
}

TEST(BudgetJudgeTest, aPredictedSpeedIsComparedExactly)
{
    const TrialResult judged = trial({completed({0.5})});
    EXPECT_EQ(result("min_steps_per_second = 2", judged), BudgetResult::Held);
    EXPECT_EQ(result("min_steps_per_second = 2.001", judged), BudgetResult::Exceeded);
}

TEST(BudgetJudgeTest, aMeasuredSpeedFailsOnlyWhenItsIntervalExcludesTheLimit)
{
    TrialResult judged = trial({completed()}, "cpu");
    judged.speed.stepsPerSecond = 2.0;
    judged.speed.stepSeconds95 = Interval{0.4, 0.625}; // 1.6 to 2.5 steps per second
    EXPECT_EQ(result("min_steps_per_second = 1.6", judged), BudgetResult::Held);
    EXPECT_EQ(result("min_steps_per_second = 1.7", judged), BudgetResult::Ambiguous);
    EXPECT_EQ(result("min_steps_per_second = 2.5", judged), BudgetResult::Ambiguous);
    EXPECT_EQ(result("min_steps_per_second = 2.6", judged), BudgetResult::Exceeded);
    EXPECT_THAT(verdict("min_steps_per_second = 1.7", judged).text, HasSubstr("95 % interval 1.6 to 2.5"));
}

TEST(BudgetJudgeTest, aMeasuredSpeedWithoutAnIntervalOrWithAFlagIsUndecided)
{
    EXPECT_EQ(result("min_steps_per_second = 0.1", trial({completed({0.5, 0.5})}, "cpu")), BudgetResult::Undecided);
    for (const char* flag : {"not_steady", "implausible"}) {
        TrialResult judged = trial({completed()}, "cpu");
        EXPECT_EQ(result("min_steps_per_second = 1", judged), BudgetResult::Held);
        judged.addFlag(flag, "");
        EXPECT_EQ(result("min_steps_per_second = 1", judged), BudgetResult::Undecided);
        EXPECT_THAT(verdict("min_steps_per_second = 1", judged).text, HasSubstr(flag));
    }
}

TEST(BudgetJudgeTest, comparesDeviationsExactly)
{
    RepeatResult repeat = completed();
    repeat.numerics = protocol::Numerics{};
    repeat.numerics->outputRelL2 = 1e-5;
    repeat.numerics->lossAbsDiff = 0.0;
    const TrialResult judged = trial({repeat}, "cpu");
    EXPECT_EQ(result("max_output_rel_l2 = 1e-5", judged), BudgetResult::Held);
    EXPECT_EQ(result("max_output_rel_l2 = 9e-6", judged), BudgetResult::Exceeded);
    EXPECT_EQ(result("max_loss_abs_diff = 0", judged), BudgetResult::Held);
    EXPECT_EQ(result("max_grad_norm_rel_diff = 1", judged), BudgetResult::Undecided);
}

TEST(BudgetJudgeTest, aDeviationThatIsNoNumberIsNotWithin)
{
    RepeatResult repeat = completed();
    repeat.numerics = protocol::Numerics{};
    repeat.numerics->outputRelL2 = std::nan("");
    // As it comes from the worker: JSON makes null of it.
    repeat = protocol::repeatResultFromJson(protocol::Json::parse(protocol::toJson(repeat).dump()));
    EXPECT_EQ(result("max_output_rel_l2 = 1", trial({repeat}, "cpu")), BudgetResult::Exceeded);
}

TEST(BudgetJudgeTest, theBaselineDoesNotDeviateFromItself)
{
    EXPECT_EQ(result("max_output_rel_l2 = 0", trial({completed()}, "cpu", "off")), BudgetResult::Held);
    EXPECT_EQ(result("max_output_rel_l2 = 0", trial({completed()}, "cpu", "2")), BudgetResult::Undecided);
}

TEST(BudgetJudgeTest, fittingIsWhatTheRecordSays)
{
    EXPECT_EQ(result("fits = true", trial({completed()}, "sim:t4", "2", true)), BudgetResult::Held);
    EXPECT_EQ(result("fits = true", trial({completed()}, "sim:t4", "2", false)), BudgetResult::Exceeded);
    EXPECT_EQ(result("fits = true", trial({completed()}, "cpu", "2", std::nullopt)), BudgetResult::Undecided);
    EXPECT_EQ(result("fits = true", trial({outOfMemory()})), BudgetResult::Exceeded);
}

TEST(BudgetJudgeTest, whatMustCompleteMayNotRunOutOfMemoryFailOrBeSkipped)
{
    EXPECT_EQ(result("must_complete = true", trial({completed()})), BudgetResult::Held);
    for (const auto& repeats : {std::vector{outOfMemory()}, std::vector{failed()}, std::vector<RepeatResult>{}})
        EXPECT_EQ(result("must_complete = true", trial(repeats)), BudgetResult::Exceeded);
    EXPECT_EQ(verdict("must_complete = true", trial({outOfMemory()})).text,
        "has to complete, but ended as out of memory: needs at least 1.00 GiB more than usable; first failed in "
        "forward "
        "for 2 GiB");
}

TEST(BudgetJudgeTest, aBudgetIsAsBadAsTheWorstOfItsTrials)
{
    const auto trials = std::vector{planned("sim:t4", "off"), planned("sim:t4", "2"), planned("cpu", "2")};
    const auto budgets = readBudgetText("[[budget]]\nmax_peak_gib = 6\nfits = true\n"
                                        "[[budget]]\nsplit_ffn = \"off\"\nmin_steps_per_second = 3\n"
                                        "[[budget]]\nmodel = \"ltx-*\"\nfits = true\n",
        "budgets.toml");
    const auto outcomes =
        judge(budgets, trials, {trial({completed()}, "sim:t4", "off"), trial({failed()}), std::nullopt});
    ASSERT_EQ(outcomes.size(), 3u);
    EXPECT_EQ(outcomes[0].result(), BudgetResult::Undecided);
    EXPECT_EQ(outcomes[0].trials, 3);
    EXPECT_EQ(outcomes[0].notRun, 1);
    EXPECT_EQ(outcomes[0].verdicts.size(), 4u);
    EXPECT_EQ(outcomes[1].result(), BudgetResult::Exceeded);
    EXPECT_EQ(outcomes[2].result(), BudgetResult::NotApplicable);
}

} // namespace
} // namespace headroom::experiments::budget_judge_test
