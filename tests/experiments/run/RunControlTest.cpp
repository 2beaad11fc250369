// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RunControl.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/experiments/run/RunFixture.h"

#include <gmock/gmock.h>

#include <sys/resource.h>

#include <chrono>
#include <thread>

namespace headroom::experiments {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

std::string label(int length)
{
    return "sequence_length " + std::to_string(length) + " | baseline";
}

class RunControlTest : public RunFixture {
protected:
    RunControlTest() { options.control = control; }

    static std::vector<PlannedTrial> planned()
    {
        return expand(loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\n") + kThree, "spec.toml", {}));
    }
    std::string id(std::size_t trial) const { return m_planned[trial].trialId; }

    std::vector<std::string> repeatsRun() const
    {
        std::vector<std::string> found;
        for (const std::string& line : notes.lines)
            if (line.starts_with("repeat"))
                found.push_back(line);
        return found;
    }

    const std::shared_ptr<RunControl> control = std::make_shared<RunControl>();

private:
    std::vector<PlannedTrial> m_planned = planned();
};

TEST_F(RunControlTest, aWordlessControlChangesNothing)
{
    const auto controlled = run(std::string(kThree) + "protocol.repeats = 2\n").trials;
    const auto lines = notes.lines;
    notes.lines.clear();
    options.control = nullptr;
    EXPECT_EQ(run(std::string(kThree) + "protocol.repeats = 2\n").trials, controlled);
    EXPECT_EQ(notes.lines, lines);
}

TEST_F(RunControlTest, aPauseLetsTheRunningRepeatEndAndWaitsBeforeTheNext)
{
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(8))
            control->pause();
    };
    std::jthread later;
    notes.onPause = [&] {
        EXPECT_EQ(notes.lines.back(), "paused");
        EXPECT_THAT(notes.lines, Contains("completed " + label(8)));
        EXPECT_THAT(logged("request"), SizeIs(1));
        control->resume();
    };
    run(kThree);
    EXPECT_THAT(notes.lines,
        ElementsAre("run three 3", "repeat 0 " + label(8), "completed " + label(8), "paused", "resumed",
            "repeat 0 " + label(16), "completed " + label(16), "repeat 0 " + label(32), "completed " + label(32),
            "end 0"));
}

TEST_F(RunControlTest, aPauseDuringTheLastRepeatDoesNotHoldTheEndOfTheRun)
{
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(32))
            control->pause();
    };
    run(kThree);
    EXPECT_THAT(notes.lines, testing::Not(Contains("paused")));
    EXPECT_EQ(summary.exitCode(), 0);
}

TEST_F(RunControlTest, aPausedRunCanBeStopped)
{
    std::stop_source stop;
    options.stop = stop.get_token();
    control->pause();
    std::jthread later;
    notes.onPause = [&] { later = std::jthread([&] { stop.request_stop(); }); };
    run(kThree);
    EXPECT_TRUE(summary.interrupted);
    EXPECT_EQ(summary.notRun, 3);
    EXPECT_THAT(logged("start"), SizeIs(0));
}

std::chrono::microseconds processorTime()
{
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    const auto of = [](const timeval& time) { return std::chrono::seconds(time.tv_sec) + time.tv_usec * 1us; };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

TEST_F(RunControlTest, waitingTakesNoProcessorTime)
{
    control->pause();
    const std::jthread later([&] {
        std::this_thread::sleep_for(300ms);
        control->resume();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto used = processorTime();
    control->waitWhilePaused({});
    EXPECT_LT((processorTime() - used) * 10, std::chrono::steady_clock::now() - begin);
}

TEST_F(RunControlTest, aNewOrderTakesEffectFromTheNextRepeatAndKeepsRounds)
{
    notes.onRepeat = [&](const PlannedTrial& trial, int repeat) {
        if (trial.label == label(8) && repeat == 0)
            control->setOrder({id(2), id(1)});
    };
    run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_THAT(repeatsRun(),
        ElementsAre("repeat 0 " + label(8), "repeat 0 " + label(32), "repeat 0 " + label(16), "repeat 1 " + label(32),
            "repeat 1 " + label(16), "repeat 1 " + label(8)));
}

TEST_F(RunControlTest, recordsStayInTheOrderOfTheSweep)
{
    control->setOrder({id(2), id(1), id(0)});
    const auto document = run(kThree);
    EXPECT_EQ(repeatsRun().front(), "repeat 0 " + label(32));
    EXPECT_EQ(document.trials.front().trialId, id(0));
}

TEST_F(RunControlTest, aRemovedTrialIsNotRun)
{
    control->removeTrial(id(1));
    const auto document = run(kThree);
    EXPECT_THAT(document.trials, SizeIs(2));
    EXPECT_EQ(document.notRun.at(0).trialId, id(1));
    EXPECT_EQ(summary.notRun, 1);
    EXPECT_FALSE(summary.interrupted);
}

TEST_F(RunControlTest, aTrialRemovedBetweenItsRepeatsKeepsWhatItHas)
{
    notes.onRepeat = [&](const PlannedTrial& trial, int repeat) {
        if (trial.label == label(32) && repeat == 0)
            control->removeTrial(id(0));
    };
    const auto document = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_THAT(document.trials, SizeIs(3));
    EXPECT_THAT(document.trials[0].speed.samplesSeconds, SizeIs(1));
    EXPECT_EQ(notes.lines[4], "completed " + label(8)) << "it is over as soon as that is known";
    EXPECT_EQ(summary.notRun, 0);
}

TEST_F(RunControlTest, aStoppedTrialIsCancelledAndTheNextOneFollows)
{
    script("hang@16");
    std::jthread later;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(16))
            later = std::jthread([&] {
                std::this_thread::sleep_for(200ms);
                control->stopTrial(id(1));
            });
    };
    const auto document = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_EQ(document.trials[1].outcome, Outcome::Cancelled);
    EXPECT_EQ(document.trials[1].reason, "stopped in phase forward");
    EXPECT_EQ(document.trials[2].outcome, Outcome::Completed);
    EXPECT_FALSE(summary.interrupted);
    EXPECT_EQ(summary.count(Outcome::Cancelled), 1);
    EXPECT_THAT(logged("request"), SizeIs(5)) << "its second repeat is not tried";
    EXPECT_EQ(summary.exitCode(), 3);
}

TEST_F(RunControlTest, aStoppedTrialIsRunAgainByAResume)
{
    script("hang@16");
    std::jthread later;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(16))
            later = std::jthread([&] { control->stopTrial(id(1)); });
    };
    run(kThree);
    auto stored = store::Workspace::open(workspace(), store::Access::ReadOnly);
    const auto repeats = stored.repeats(stored.trials(1)[1].id);
    ASSERT_THAT(repeats, SizeIs(1));
    EXPECT_EQ(repeats[0].outcome, Outcome::Cancelled);
    later = {};
    script("");
    notes.onRepeat = {};
    options.mode = RunMode::Resume;
    options.control = nullptr;
    EXPECT_EQ(run(kThree).trials[1].outcome, Outcome::Completed);
    EXPECT_THAT(logged("request"), SizeIs(4));
}

TEST_F(RunControlTest, theStopOfATrialThatIsNotRunningRemovesIt)
{
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(8))
            control->stopTrial(id(2));
    };
    run(kThree);
    EXPECT_THAT(repeatsRun(), ElementsAre("repeat 0 " + label(8), "repeat 0 " + label(16)));
}

TEST_F(RunControlTest, aSimulatedTrialThatHangsCanBeStopped)
{
    script("hang@16");
    std::jthread later;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label.find("16") != std::string::npos)
            later = std::jthread([&, trialId = trial.trialId] { control->stopTrial(trialId); });
    };
    run(std::string(kThree) + "device.name = \"sim:t4\"\n");
    EXPECT_EQ(summary.count(Outcome::Cancelled), 1);
    EXPECT_EQ(summary.count(Outcome::Completed), 2);
    EXPECT_THAT(logged("start"), SizeIs(2)) << "the resident worker is replaced";
}

TEST_F(RunControlTest, aTrialIsStoppedThatHasBeenTakenButHasNotBegun)
{
    script("hang@16");
    options.timeout = 5s;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label == label(16))
            control->stopTrial(trial.trialId);
    };
    run(kThree);
    EXPECT_EQ(summary.count(Outcome::Cancelled), 1);
    EXPECT_EQ(summary.count(Outcome::Completed), 2);
}

TEST_F(RunControlTest, theObserverReadsTheWorkersLogAsItComes)
{
    script("talk@16");
    run(kThree);
    EXPECT_THAT(notes.log, ElementsAre(label(16) + ": first remark", label(16) + ": second remark"));
}

TEST_F(RunControlTest, aLogWithoutEndOfLineIsReadToo)
{
    script("log@16");
    run(kThree);
    EXPECT_THAT(notes.log, ElementsAre(label(16) + ": first line", label(16) + ": something went wrong"));
}

} // namespace
} // namespace headroom::experiments
