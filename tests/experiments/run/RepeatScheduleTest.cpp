// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RepeatSchedule.h"

#include "profiling/store/workspace/Workspace.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/Waiting.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <thread>

namespace headroom::experiments::repeat_schedule_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kSixSimulated =
    "name = \"six\"\nworkload.sequence_length = [8, 16, 32, 64, 128, 256]\ndevice.name = \"sim:t4\"\n";

std::string label(int length)
{
    return "sequence_length " + std::to_string(length) + " | baseline";
}

// Several workers, whatever this machine has.
class RepeatScheduleTest : public RunFixture {
protected:
    RepeatScheduleTest() { options.jobs = 3; }

    std::vector<Outcome> outcomesOf(const ResultsDocument& document) const
    {
        std::vector<Outcome> outcomes;
        for (const TrialResult& trial : document.trials)
            outcomes.push_back(trial.outcome);
        return outcomes;
    }

    // The trials of which the workspace has a repeat.
    std::vector<std::string> stored() const
    {
        std::vector<std::string> ids;
        auto workspaceOfRun = store::Workspace::open(workspace(), store::Access::ReadOnly);
        for (const auto& trial : workspaceOfRun.trials(1))
            if (!workspaceOfRun.repeats(trial.id).empty())
                ids.push_back(trial.trialId);
        return ids;
    }

    std::string id(int length) const
    {
        const ExperimentSpec spec =
            loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\n") + kSixSimulated, "spec.toml", {});
        const auto trials = expand(spec);
        return std::ranges::find_if(trials, [&](const PlannedTrial& trial) {
            return trial.label == label(length);
        })->trialId;
    }
};

TEST_F(RepeatScheduleTest, simulatedTrialsRunInSeveralWorkers)
{
    script("slow"); // so that every worker gets its share
    const auto document = run(kSixSimulated);
    EXPECT_THAT(outcomesOf(document),
        ElementsAre(Outcome::Completed, Outcome::Completed, Outcome::Completed, Outcome::Completed, Outcome::Completed,
            Outcome::Completed));
    EXPECT_THAT(logged("start"), SizeIs(3));
    EXPECT_THAT(logged("end"), SizeIs(3)) << "each ends in good order";
}

TEST_F(RepeatScheduleTest, oneJobIsOneWorker)
{
    options.jobs = 1;
    run(kSixSimulated);
    EXPECT_THAT(logged("start"), SizeIs(1));
}

TEST_F(RepeatScheduleTest, noMoreWorkersThanTrialsAreStarted)
{
    options.jobs = 64;
    script("slow");
    run(std::string(kThree) + "device.name = \"sim:t4\"\n");
    EXPECT_THAT(logged("start"), SizeIs(3));
}

// The first one is done last.
TEST_F(RepeatScheduleTest, resultsAndWhatIsToldOfThemAreThoseOfOneWorker)
{
    script("slow@8");
    const auto together = run(kSixSimulated);
    const auto told = notes.lines;
    const auto phases = notes.phases;
    const auto samples = notes.samples;
    const auto answered = logged("answer");
    EXPECT_EQ(answered.at(0) == "answer " + together.trials[0].trialId, false);
    std::filesystem::remove(workspace());
    notes = {};
    options.jobs = 1;
    const auto alone = run(kSixSimulated);
    EXPECT_EQ(together.trials, alone.trials);
    EXPECT_EQ(told, notes.lines);
    EXPECT_EQ(phases, notes.phases);
    EXPECT_EQ(samples, notes.samples);
}

// A run may be killed at any time.
TEST_F(RepeatScheduleTest, whatIsFinishedIsInTheWorkspaceWhileAnEarlierTrialStillRuns)
{
    options.control = std::make_shared<RunControl>();
    script("hang@8");
    std::vector<std::string> whileItRan;
    std::jthread reader;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(8))
            reader = std::jthread([&] {
                EXPECT_TRUE(comesTrue([&] { return stored().size() == 5; }, 10ms, 10s));
                whileItRan = stored();
                options.control->stopTrial(id(8));
            });
    };
    run(kSixSimulated);
    EXPECT_THAT(whileItRan, ElementsAre(id(16), id(32), id(64), id(128), id(256)));
    EXPECT_THAT(stored(), SizeIs(6));
    EXPECT_EQ(notes.lines[2], "cancelled " + label(8)) << "told in order";
}

TEST_F(RepeatScheduleTest, whatIsFinishedIsInTheWorkspaceWhileALaterTrialStillRuns)
{
    options.control = std::make_shared<RunControl>();
    script("hang@256");
    std::vector<std::string> whileItRan;
    std::jthread reader;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(256))
            reader = std::jthread([&] {
                whileItRan = stored();
                options.control->stopTrial(id(256));
            });
    };
    run(kSixSimulated);
    EXPECT_THAT(whileItRan, ElementsAre(id(8), id(16), id(32), id(64), id(128)));
}

// Whichever was stored first.
TEST_F(RepeatScheduleTest, whatIsRemarkedOfTrialsStandsInTheirOrder)
{
    script("diagnose_slowly@8,diagnose");
    run(kSixSimulated);
    auto workspaceOfRun = store::Workspace::open(workspace(), store::Access::ReadOnly);
    const auto trials = workspaceOfRun.trials(1);
    const auto remarks = workspaceOfRun.experimentDiagnostics(1);
    ASSERT_THAT(remarks, SizeIs(6));
    for (std::size_t i = 0; i < remarks.size(); ++i)
        EXPECT_EQ(remarks[i].trial, trials[i].id);
    EXPECT_THAT(notes.remarks, SizeIs(6));
}

// What is timed has the machine to itself.
TEST_F(RepeatScheduleTest, nothingRunsBesideAMeasuredTrial)
{
    script("slow");
    run("name = \"mixed\"\nworkload.sequence_length = [8, 16, 32]\n"
        "device.name = [\"sim:t4\", \"cpu\", \"sim:l4\"]\nprotocol.repeats = 2\n");
    std::set<std::string> running;
    std::set<std::string> measured;
    for (const PlannedTrial& planned : expand(loadSpecText("model.name = \"ffn-stack-tiny\"\n"
                                                           "workload.sequence_length = [8, 16, 32]\n"
                                                           "device.name = \"cpu\"\nprotocol.repeats = 2\n",
             "spec.toml", {})))
        measured.insert(planned.trialId);
    std::size_t most = 0;
    int alone = 0;
    for (const std::string& line : linesOf(contentOf(logFile()))) {
        const std::string trial = line.substr(line.rfind(' ') + 1);
        if (line.starts_with("request"))
            running.insert(trial);
        if (line.starts_with("answer"))
            running.erase(trial);
        most = std::max(most, running.size());
        if (std::ranges::any_of(running, [&](const std::string& id) { return measured.contains(id); })) {
            EXPECT_THAT(running, SizeIs(1));
            ++alone;
        }
    }
    EXPECT_EQ(alone, 6);
    EXPECT_GT(most, 1U);
}

TEST_F(RepeatScheduleTest, aWorkerThatDiesCostsItsTrialAlone)
{
    script("kill@32");
    const auto document = run(kSixSimulated);
    EXPECT_EQ(document.trials[2].outcome, Outcome::Failed);
    EXPECT_EQ(summary.count(Outcome::Completed), 5);
    EXPECT_EQ(summary.exitCode(), 3);
}

TEST_F(RepeatScheduleTest, aWorkerThatHangsHoldsUpNoOtherTrial)
{
    script("hang@8");
    options.timeout = 1s;
    const auto document = run(kSixSimulated);
    EXPECT_EQ(document.trials[0].outcome, Outcome::TimedOut);
    EXPECT_EQ(summary.count(Outcome::Completed), 5);
    EXPECT_EQ(notes.lines[1], "repeat 0 " + label(8));
    EXPECT_EQ(notes.lines[2], "timed_out " + label(8));
}

TEST_F(RepeatScheduleTest, aPauseBeginsNothing)
{
    options.control = std::make_shared<RunControl>();
    options.jobs = 2;
    script("slow");
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(8))
            options.control->pause();
    };
    std::size_t before = 0;
    notes.onPause = [&] {
        before = logged("request").size();
        EXPECT_LE(before, 2U);
        std::this_thread::sleep_for(150ms);
        EXPECT_THAT(logged("request"), SizeIs(before));
        EXPECT_THAT(notes.lines, Contains("completed " + label(8)));
        options.control->resume();
    };
    run(kSixSimulated);
    EXPECT_GE(before, 1U);
    EXPECT_EQ(summary.count(Outcome::Completed), 6);
}

// While one repeat takes long, the other worker goes on at once.
TEST_F(RepeatScheduleTest, aResumedRunGoesOnWhileAnotherTrialStillRuns)
{
    options.control = std::make_shared<RunControl>();
    options.jobs = 2;
    options.timeout = 5s;
    script("hang@8");
    std::jthread later;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label != label(8))
            return;
        options.control->pause();
        later = std::jthread([&] {
            std::this_thread::sleep_for(100ms);
            options.control->resume();
            while (logged("answer").size() < 5)
                std::this_thread::sleep_for(10ms);
            options.control->stopTrial(id(8));
        });
    };
    run(kSixSimulated);
    EXPECT_EQ(summary.count(Outcome::Cancelled), 1);
    EXPECT_EQ(summary.count(Outcome::Completed), 5);
}

TEST_F(RepeatScheduleTest, anOrderAndARemovalHoldForWhatHasNotBegun)
{
    options.control = std::make_shared<RunControl>();
    options.control->setOrder({id(256), id(128)});
    options.control->removeTrial(id(16));
    const auto document = run(kSixSimulated);
    EXPECT_EQ(notes.lines[1], "repeat 0 " + label(256));
    EXPECT_EQ(notes.lines[3], "repeat 0 " + label(128));
    EXPECT_THAT(notes.lines, Not(Contains("repeat 0 " + label(16))));
    EXPECT_EQ(document.trials.front().trialId, id(8)) << "records stay in the order of the sweep";
    EXPECT_EQ(summary.notRun, 1);
}

TEST_F(RepeatScheduleTest, aTrialThatIsStoppedIsCancelledAndTheOthersGoOn)
{
    options.control = std::make_shared<RunControl>();
    script("hang@16");
    std::jthread later([&] {
        while (logged("answer").size() < 5)
            std::this_thread::sleep_for(10ms);
        options.control->stopTrial(id(16));
    });
    const auto document = run(kSixSimulated);
    EXPECT_EQ(document.trials[1].outcome, Outcome::Cancelled);
    EXPECT_EQ(document.trials[1].reason, "stopped in phase forward");
    EXPECT_EQ(summary.count(Outcome::Completed), 5);
    EXPECT_FALSE(summary.interrupted);
}

// A worker gets its next trial when the result of the last one is there, so of five that were begun beside the one that
// hangs three at least are finished.
TEST_F(RepeatScheduleTest, anInterruptionKeepsWhatIsFinishedAndAResumeRunsTheRest)
{
    std::stop_source stop;
    options.stop = stop.get_token();
    script("hang@16");
    const std::jthread later([&] {
        while (logged("request").size() < 6)
            std::this_thread::sleep_for(10ms);
        stop.request_stop();
    });
    run(kSixSimulated);
    EXPECT_EQ(summary.exitCode(), 130);
    const std::int64_t finished = summary.count(Outcome::Completed);
    EXPECT_GE(finished, 3);
    const std::int64_t cancelled = summary.count(Outcome::Cancelled);
    EXPECT_LE(cancelled, 1) << "the one that the run waited for, unless it was looking at the others just then";
    EXPECT_EQ(summary.notRun, 6 - finished - cancelled);
    options.stop = {};
    options.mode = RunMode::Resume;
    script("");
    EXPECT_THAT(outcomesOf(run(kSixSimulated)), Each(Outcome::Completed));
    EXPECT_THAT(logged("request"), SizeIs(6 + 6 - finished));
}

TEST_F(RepeatScheduleTest, ofThoseThatAnInterruptionEndsOnlyTheFirstIsTold)
{
    std::stop_source stop;
    options.stop = stop.get_token();
    script("hang");
    const std::jthread later([&] {
        while (logged("request").size() < 3)
            std::this_thread::sleep_for(10ms);
        stop.request_stop();
    });
    const auto document = run(kSixSimulated);
    EXPECT_THAT(notes.lines, ElementsAre("run six 6", "repeat 0 " + label(8), "cancelled " + label(8), "end 130"));
    EXPECT_EQ(summary.notRun, 5);
}

TEST_F(RepeatScheduleTest, theFirstFailureEndsTheRunWhereThatIsAskedFor)
{
    options.onFailure = FailurePolicy::FailFast;
    options.tracing = Tracing::On;
    script("exit@16");
    const auto document = run(kSixSimulated);
    const std::vector<Outcome> outcomes = outcomesOf(document);
    ASSERT_GE(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[1], Outcome::Failed);
    EXPECT_EQ(summary.count(Outcome::Failed), 1);
    EXPECT_EQ(summary.count(Outcome::Completed), std::ssize(outcomes) - 1);
    EXPECT_EQ(summary.notRun, 6 - std::ssize(outcomes)) << "what was finished beside it is a result";
    EXPECT_THAT(stored(), SizeIs(outcomes.size()));
    EXPECT_THAT(files(), Each(Not(testing::HasSubstr("spool"))));
}

TEST_F(RepeatScheduleTest, tracesOfTrialsThatRanSideBySideAreKept)
{
    options.tracing = Tracing::On;
    script("trace");
    run(kSixSimulated);
    EXPECT_THAT(stored(), SizeIs(6));
    EXPECT_THAT(files(), Each(Not(testing::HasSubstr("spool"))));
    SQLite::Database database(workspace().string());
    EXPECT_EQ(database.execAndGet("SELECT count(DISTINCT repeat) FROM phases").getInt(), 6);
}

TEST_F(RepeatScheduleTest, theLogOfAWorkerIsToldWithItsTrial)
{
    script("talk@32");
    run(kSixSimulated);
    EXPECT_THAT(notes.log, ElementsAre(label(32) + ": first remark", label(32) + ": second remark"));
}

TEST_F(RepeatScheduleTest, aWorkerThatEndsBadlyIsRemarkedUpon)
{
    script("late_crash@256");
    options.jobs = 1;
    run(kSixSimulated);
    EXPECT_EQ(summary.count(Outcome::Completed), 6);
    EXPECT_THAT(notes.remarks, Contains(testing::HasSubstr("after its result")));
}

TEST_F(RepeatScheduleTest, aWorkerThatCannotBeStartedEndsTheRun)
{
    options.worker = folder() / "gone";
    EXPECT_THROW(run(kSixSimulated), FileError);
    EXPECT_THAT(notes.lines, IsEmpty());
}

} // namespace
} // namespace headroom::experiments::repeat_schedule_test
