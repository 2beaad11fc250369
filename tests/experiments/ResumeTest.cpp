// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Workspace.h"
#include "tests/experiments/RunFixture.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::SizeIs;

class Resume : public RunFixture {
protected:
    std::size_t experiments()
    {
        return store::Workspace::open(workspace(), store::Access::ReadOnly).experiments().size();
    }
    std::size_t requests() { return logged("request").size(); }
};

TEST_F(Resume, runsNoFinishedRepeatTwice)
{
    const ResultsDocument first = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_EQ(requests(), 6u);
    options.mode = RunMode::Resume;
    const ResultsDocument second = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_EQ(requests(), 6u);
    EXPECT_EQ(second.trials, first.trials);
    EXPECT_EQ(experiments(), 1u);
    EXPECT_EQ(summary.count(protocol::Outcome::Completed), 3);
}

TEST_F(Resume, runsAgainWhatFailedAndReplacesIt)
{
    script("kill@16");
    run(kThree);
    EXPECT_EQ(summary.exitCode(), 3);
    script("");
    options.mode = RunMode::Resume;
    const auto document = run(kThree);
    EXPECT_EQ(requests(), 4u);
    EXPECT_EQ(document.trials[1].at("outcome"), "completed");
    EXPECT_EQ(summary.exitCode(), 0);
    auto stored = store::Workspace::open(workspace(), store::Access::ReadOnly);
    EXPECT_EQ(stored.repeats(stored.trials(1)[1].id)[0].outcome, store::Outcome::Completed);
}

TEST_F(Resume, outOfMemoryIsFinished)
{
    script("oom@16");
    run(kThree);
    options.mode = RunMode::Resume;
    script("");
    EXPECT_EQ(run(kThree).trials[1].at("outcome"), "out_of_memory");
    EXPECT_EQ(requests(), 3u);
}

TEST_F(Resume, continuesAfterAnInterruption)
{
    std::stop_source stop;
    options.stop = stop.get_token();
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label.find("16") != std::string::npos)
            stop.request_stop();
    };
    EXPECT_EQ(run(kThree).trials.size(), 2u);
    EXPECT_EQ(summary.exitCode(), 130);
    options.stop = {};
    options.mode = RunMode::Resume;
    const std::size_t before = notes.lines.size();
    EXPECT_EQ(run(kThree).trials.size(), 3u);
    EXPECT_EQ(summary.exitCode(), 0);
    EXPECT_EQ(notes.lines[before + 1], "completed sequence_length 8 | baseline"); // told at once, not run
    EXPECT_EQ(notes.lines[before + 2], "repeat 0 sequence_length 16 | baseline");
}

TEST_F(Resume, moreRepeatsOfTheSameTrialsAddUp)
{
    run(kThree);
    options.mode = RunMode::Resume;
    const auto document = run(std::string(kThree) + "protocol.repeats = 3\n");
    EXPECT_EQ(requests(), 9u);
    EXPECT_THAT(document.trials[0].at("speed").at("samples_seconds"), SizeIs(3));
}

TEST_F(Resume, otherTrialsOrAnotherNameAreANewExperiment)
{
    run(kThree);
    options.mode = RunMode::Resume;
    run(std::string(kThree) + "workload.batch = 7\n");
    EXPECT_EQ(requests(), 6u);
    run("name = \"other\"\nworkload.sequence_length = [8, 16, 32]\n");
    EXPECT_EQ(requests(), 9u);
    EXPECT_EQ(experiments(), 3u);
}

TEST_F(Resume, aPartOfTheTrialsContinuesTheWholeExperiment)
{
    run(kThree);
    options.mode = RunMode::Resume;
    run("name = \"three\"\nworkload.sequence_length = 16\n");
    EXPECT_EQ(requests(), 3u);
    EXPECT_EQ(experiments(), 1u);
}

TEST_F(Resume, withoutResumeEveryRunIsAnExperimentOfItsOwn)
{
    run(kThree);
    run(kThree);
    EXPECT_EQ(requests(), 6u);
    EXPECT_EQ(experiments(), 2u);
}

} // namespace
} // namespace headroom::experiments
