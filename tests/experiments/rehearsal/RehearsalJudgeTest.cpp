// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalJudge.h"

#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <gmock/gmock.h>

namespace headroom::experiments::rehearsal_judge_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class RehearsalJudgeTest : public testing::Test {
protected:
    RehearsalJudgeTest()
    {
        static const simulator::ProfileCatalogue catalogue(HEADROOM_SOURCE_DIR "/resources");
        m_terms.device = catalogue.device("rtx4090");
        m_terms.command = {"python", "train.py"};
        m_run = completed(8 * kGiB);
    }

    /// Three steps, after which it was ended.
    static RehearsedRun completed(Bytes reserved)
    {
        RehearsedRun run;
        run.end.exitCode = 137;
        run.end.stopped = true;
        run.taken = {{reserved + kGiB / 2}, 0, 1};
        ProcessRecords process;
        process.usesDevice = true;
        process.hasHandshake = true;
        process.peaks[0] = {reserved - kMiB, reserved - kMiB, reserved, 2, "backward", 0};
        for (int step = 1; step <= 3; ++step)
            process.steps.push_back({step, reserved - kMiB, reserved, 0.1, {}});
        process.coverage = RecordedCoverage{3, false, false, false};
        process.end = RecordedEnd{"steps", {}, ""};
        run.processes = {process};
        return run;
    }

    ProcessRecords& process() { return m_run.processes.front(); }
    Bytes usable() const { return m_terms.device.memory->usableBytes.value; }

    /// The second step asks in vain, and the script ends of it.
    void runOutOfMemory()
    {
        process().steps.resize(1);
        process().coverage = RecordedCoverage{1, false, false, false};
        process().shortages = {{2 * kGiB, kGiB, {{"/home/me/train.py", 31, "step"}}, 1}};
        process().end = RecordedEnd{"exception", 1, "OutOfMemoryError"};
        m_run.end = {.exitCode = 1};
    }

    RehearsedRow row(const std::optional<RehearsedRun>& unlimited = {}) const
    {
        return judgeRehearsal(m_terms, m_run, unlimited);
    }

    RehearsalTerms m_terms;
    RehearsedRun m_run;
};

TEST_F(RehearsalJudgeTest, whatItNeedsIsWhatAllProcessesTookOfTheCard)
{
    const RehearsedRow judged = row();
    EXPECT_EQ(judged.verdict, RehearsalVerdict::Fits);
    EXPECT_EQ(judged.rank.outcome, RehearsalOutcome::Completed);
    EXPECT_EQ(judged.rank.needed, 8 * kGiB + kGiB / 2);
    EXPECT_FALSE(judged.rank.exitCode) << "we ended it";
    m_run.end.stopped = false;
    EXPECT_FALSE(row().rank.exitCode) << "its process was gone before its last record was read";
    EXPECT_EQ(judged.exitCode(), 0);
    EXPECT_EQ(verdictSentence(judged), "In the first 3 steps: fits, needs 8.50 GiB of 23.6 GiB.");
}

TEST_F(RehearsalJudgeTest, aRangeIsSaidWhereItsEndsReadDifferently)
{
    m_run.ledger.notCounted = {{.library = "cuDNN", .function = "f", .low = 0, .high = 2 * kMiB}};
    EXPECT_THAT(verdictSentence(row()), HasSubstr("needs 8.50 GiB of"));
    m_run.ledger.notCounted.front().high = kGiB;
    EXPECT_THAT(verdictSentence(row()), HasSubstr("needs 8.50 GiB to 9.50 GiB of"));
}

TEST_F(RehearsalJudgeTest, nearTheEdgeIsTight)
{
    m_run = completed(usable() - kGiB / 2 - 64 * kMiB);
    EXPECT_EQ(row().verdict, RehearsalVerdict::Tight);
    EXPECT_EQ(row().exitCode(), 0);
}

TEST_F(RehearsalJudgeTest, whatIsNotCountedMayBeTooMuch)
{
    m_run.ledger.notCounted = {{"cuFFT", "cufftMakePlanMany", 0, usable()}};
    EXPECT_EQ(row().rank.neededHigh, *row().rank.needed + usable());
    EXPECT_EQ(row().verdict, RehearsalVerdict::Tight);
}

TEST_F(RehearsalJudgeTest, givingBackTheCacheAndGoingOnAfterOutOfMemoryAreTight)
{
    process().peaks[0].retries = 1;
    EXPECT_EQ(row().verdict, RehearsalVerdict::Tight);
    process().peaks[0].retries = 0;
    process().shortages = {{kGiB, {}, {}, 1}};
    EXPECT_EQ(row().verdict, RehearsalVerdict::Tight) << "caught: two steps came after it";
}

TEST_F(RehearsalJudgeTest, outOfMemorySaysWhereAndWhatItNeeds)
{
    runOutOfMemory();
    const RehearsedRow judged = row(completed(30 * kGiB));
    EXPECT_EQ(judged.verdict, RehearsalVerdict::No);
    EXPECT_EQ(judged.exitCode(), 1);
    EXPECT_TRUE(judged.rank.isSecondRun);
    EXPECT_EQ(judged.rank.needed, 30 * kGiB + kGiB / 2);
    EXPECT_EQ(judged.rank.exitCode, 1);
    EXPECT_EQ(verdictSentence(judged),
        "In the first step: does not fit, needs 30.5 GiB of 23.6 GiB; first failed at train.py:31 step for 2 GiB with "
        "1.00 GiB free.");
}

TEST_F(RehearsalJudgeTest, whereTheSecondRunEndsElsewhereItsNeedIsNotKnown)
{
    runOutOfMemory();
    RehearsedRun other = completed(30 * kGiB);
    other.end = {.exitCode = 1};
    other.processes.front().end = RecordedEnd{"exception", 1, "KeyError"};
    const RehearsedRow judged = row(other);
    EXPECT_EQ(judged.verdict, RehearsalVerdict::No);
    EXPECT_FALSE(judged.rank.isSecondRun);
    EXPECT_FALSE(judged.rank.needed);
}

TEST_F(RehearsalJudgeTest, outOfMemoryThatEndsWithExitCodeZeroIsStillNo)
{
    runOutOfMemory();
    process().end = RecordedEnd{"exit", 0, ""};
    m_run.end = {.exitCode = 0};
    EXPECT_EQ(row().verdict, RehearsalVerdict::No);
}

TEST_F(RehearsalJudgeTest, onlyAnOutOfMemoryThatNobodyCaughtAsksForASecondRun)
{
    EXPECT_FALSE(endedForMemory(m_run));
    runOutOfMemory();
    EXPECT_TRUE(endedForMemory(m_run));
    m_run.end.timedOut = true;
    EXPECT_FALSE(endedForMemory(m_run));
}

TEST_F(RehearsalJudgeTest, aSizeFromAnUnknownValueIsNeverFits)
{
    process().guesses = {{"unknown", "nonzero", 1, {{"/a/loss.py", 7, "mask"}}, true}};
    EXPECT_EQ(row().verdict, RehearsalVerdict::Unknown);
    EXPECT_EQ(row().exitCode(), 4);
    EXPECT_THAT(verdictSentence(row()), HasSubstr("the size of nonzero at loss.py:7 mask depends on values"));
    process().coverage->end = true;
    EXPECT_THAT(verdictSentence(row()), Not(HasSubstr("GiB"))) << "a figure that may be too small says nothing";
    process().guesses.front().what = "item";
    EXPECT_EQ(verdictSentence(row()),
        "Not known: a whole number that is read at loss.py:7 mask is not computed, and sizes may come of it.");
    process().guesses.front().isSize = false;
    EXPECT_EQ(row().verdict, RehearsalVerdict::Fits);
    process().guesses.front().isSize = true;
    m_run.end = {.exitCode = 1};
    process().end = RecordedEnd{"exception", 1, "ValueError: empty"};
    EXPECT_THAT(verdictSentence(row()), HasSubstr("ValueError: empty; before that, a whole number that is read at"));
}

TEST_F(RehearsalJudgeTest, aRefusedFunctionIsNeverFits)
{
    m_run.ledger.refused = {{"cudaIpcGetMemHandle", 2}};
    EXPECT_EQ(row().verdict, RehearsalVerdict::Unknown);
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::Refused);
    EXPECT_EQ(row().exitCode(), 3);
    EXPECT_THAT(verdictSentence(row()), HasSubstr("cudaIpcGetMemHandle is not rehearsed"));
    process().refused = {{"cudaIpcGetMemHandle", {{"/a/share.py", 5, "send"}}}};
    EXPECT_THAT(verdictSentence(row()), HasSubstr("cudaIpcGetMemHandle (at share.py:5 send) is not rehearsed"));
    const OrderedJson refused = toJson(row()).at("ranks").at(0).at("refused").at(0);
    EXPECT_EQ(refused.at("count"), 2);
    EXPECT_EQ(refused.at("where").at(0).at("line"), 5);
}

TEST_F(RehearsalJudgeTest, kernelsAreThoseThatTheProcessCounted)
{
    EXPECT_TRUE(toJson(row()).at("ranks").at(0).at("launches").is_null());
    process().coverage = RecordedCoverage{.steps = 3, .launches = 1200};
    EXPECT_EQ(toJson(row()).at("ranks").at(0).at("launches"), 1200);
}

TEST_F(RehearsalJudgeTest, withoutAStepOrADeviceNothingIsKnown)
{
    process().steps.clear();
    process().end = RecordedEnd{"exit", 0, ""};
    m_run.end = {.exitCode = 0};
    EXPECT_EQ(row().verdict, RehearsalVerdict::Unknown);
    EXPECT_EQ(row().exitCode(), 4);
    EXPECT_EQ(verdictSentence(row()), "Not known: no step of an optimizer was seen.");
    process().coverage = RecordedCoverage{0, false, false, true};
    EXPECT_EQ(verdictSentence(row()),
        "Not known: no step of an optimizer was seen. It ran to its end, where it needs 8.50 GiB of 23.6 GiB.");
    m_run.processes.clear();
    m_run.taken = {{0}, 0, 0};
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::NoDeviceUsed);
    EXPECT_EQ(row().verdict, RehearsalVerdict::Unknown);
    EXPECT_EQ(row().exitCode(), 4);
    EXPECT_THAT(verdictSentence(row()), HasSubstr("env -i")) << "nothing was heard of any Python";
    m_run.processes.emplace_back();
    EXPECT_EQ(verdictSentence(row()), "Not known: no process of the command used a card.");
}

TEST_F(RehearsalJudgeTest, anotherEndIsAFailureWithItsExitCode)
{
    process().end = RecordedEnd{"exception", 1, "KeyError: 'x'"};
    m_run.end = {.exitCode = 1};
    EXPECT_EQ(row().verdict, RehearsalVerdict::Failed);
    EXPECT_EQ(row().exitCode(), 3);
    EXPECT_EQ(row().rank.exitCode, 1);
    EXPECT_EQ(verdictSentence(row()), "Failed: the command ended with exit code 1: KeyError: 'x'.");
    process().end->exception = "OSError: We couldn't connect to 'https://huggingface.co' to load the files.\nCheck it.";
    EXPECT_THAT(verdictSentence(row()), HasSubstr("to load the files. What it wants of a hub is not here"));
    EXPECT_THAT(verdictSentence(row()), HasSubstr("headroom ghost"));
    m_run.end = {.exitCode = 137, .timedOut = true};
    m_terms.timeout = std::chrono::seconds(90);
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::TimedOut);
    EXPECT_EQ(row().exitCode(), 3);
}

TEST_F(RehearsalJudgeTest, aPyTorchThatCannotBeRehearsedIsNamed)
{
    m_run.processes.clear();
    m_run.processes.emplace_back().problem = RecordedProblem{"no_cuda", "2.11.0+cpu"};
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::Refused);
    EXPECT_EQ(row().verdict, RehearsalVerdict::Unknown);
    EXPECT_EQ(row().exitCode(), 3);
    EXPECT_THAT(verdictSentence(row()), HasSubstr("(2.11.0+cpu) is built without CUDA"));
    m_run.processes.back().problem = RecordedProblem{"agent_failed", "Traceback:\n  File\nKeyError: 'x'\n"};
    EXPECT_THAT(verdictSentence(row()), HasSubstr("a fault of Headroom's: KeyError: 'x'."));
}

TEST_F(RehearsalJudgeTest, aProcessThatUsedTheCardUnwatchedIsNeverFits)
{
    m_run.processes.clear();
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::Refused);
    EXPECT_THAT(verdictSentence(row()), HasSubstr("PYTHONPATH"));
}

TEST_F(RehearsalJudgeTest, aPeakThatRoseInTheLastStepIsSaidToGrow)
{
    EXPECT_FALSE(row().rank.isGrowing);
    process().steps.back().allocated = 9 * kGiB;
    EXPECT_TRUE(row().rank.isGrowing);
    process().steps.resize(2);
    process().steps.back().allocated = 10 * kGiB;
    EXPECT_FALSE(row().rank.isGrowing) << "the optimizer's state is made in the first of two";
}

TEST_F(RehearsalJudgeTest, aRankSaysWhichItIsOfHowMany)
{
    m_terms.cards = 8;
    m_terms.nodes = 2;
    m_terms.ranks = {9};
    m_run.rank = 9;
    EXPECT_EQ(row().rank.rank, 9);
    EXPECT_EQ(row().rank.worldSize, 16);
    EXPECT_THAT(row().lacking, testing::ElementsAre(HasSubstr("no group of ranks was formed")));
    process().worldSize = 12;
    EXPECT_EQ(row().rank.worldSize, 12) << "what the script made of it";
    EXPECT_TRUE(row().lacking.empty());
    EXPECT_EQ(verdictSentence(row()), "In the first 3 steps: fits, needs 8.50 GiB of 23.6 GiB on rank 9 of 12.");
    m_run.processes.clear();
    m_run.taken = {};
    m_run.end = {.exitCode = 0};
    EXPECT_THAT(verdictSentence(row()), HasSubstr("rank 9 of 16: the command started no rank 9"));
}

TEST_F(RehearsalJudgeTest, aRankThatWaitsForOneThatIsNotThereNamesIt)
{
    m_run.rank = 1;
    process().problem = RecordedProblem{"absent_rank", "objects of rank 0"};
    EXPECT_EQ(row().rank.outcome, RehearsalOutcome::Refused);
    EXPECT_THAT(row().rank.reason, HasSubstr("objects of rank 0, which is not rehearsed: name it behind --ranks"));
}

TEST_F(RehearsalJudgeTest, ofSeveralRanksTheWorstVerdictCountsThenTheLargestNeed)
{
    const RehearsedRow small = row();
    m_run = completed(9 * kGiB);
    const RehearsedRow large = row();
    EXPECT_TRUE(isWorse(large, small));
    EXPECT_FALSE(isWorse(small, large));
    EXPECT_FALSE(isWorse(small, small));
    process().steps.clear();
    const RehearsedRow unknown = row();
    EXPECT_TRUE(isWorse(unknown, large));
    m_run = completed(8 * kGiB);
    runOutOfMemory();
    EXPECT_TRUE(isWorse(row(), unknown)) << "one rank without room is enough to know";
}

TEST_F(RehearsalJudgeTest, theDocumentHasRanksByTheirNumbers)
{
    RehearsedRow judged = row();
    judged.rank.rank = 7;
    judged.otherRanks.resize(2);
    judged.otherRanks[0].rank = 9;
    const OrderedJson ranks = toJson(judged).at("ranks");
    ASSERT_EQ(ranks.size(), 3U);
    EXPECT_EQ(ranks[0].at("rank"), 0);
    EXPECT_EQ(ranks[1].at("rank"), 7);
    EXPECT_EQ(ranks[2].at("rank"), 9);
}

TEST_F(RehearsalJudgeTest, theDocumentHasEveryKey)
{
    runOutOfMemory();
    const OrderedJson json = toJson(row());
    EXPECT_EQ(json.at("verdict"), "no");
    const OrderedJson& rank = json.at("ranks").at(0);
    for (const char* const key : {"rank", "world_size", "outcome", "reason", "exit_code", "second_run", "peak",
             "growing", "needed_bytes", "needed_high_bytes", "usable_bytes", "devices", "processes", "covered", "steps",
             "out_of_memory", "held", "reads", "guesses", "refused", "not_counted", "launches", "libraries"})
        EXPECT_TRUE(rank.contains(key)) << key;
    EXPECT_EQ(rank.at("out_of_memory").at("where").at(0).at("line"), 31);
    EXPECT_TRUE(rank.at("needed_bytes").is_null());
}

} // namespace
} // namespace headroom::experiments::rehearsal_judge_test
