// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/Refusal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ResumeTest : public RunFixture {
protected:
    std::size_t experiments()
    {
        return store::Workspace::open(workspace(), store::Access::ReadOnly).experiments().size();
    }
    std::size_t requests() { return logged("request").size(); }

    store::ExperimentRow row(std::int64_t id = 1)
    {
        return store::Workspace::open(workspace(), store::Access::ReadOnly).findExperiment(id).value();
    }

    // What lies beside the workspace but for SQLite's files.
    std::vector<std::string> filesBeside() const
    {
        std::vector<std::string> names = files();
        std::erase_if(names,
            [](const auto& name) { return !name.ends_with(".run") && name.find(".spool") == std::string::npos; });
        return names;
    }

    // Another run, while the one that calls is under way.
    void runAnother(const std::string& toml, RunMode mode)
    {
        RunOptions others = options;
        others.mode = mode;
        Notes ignored;
        const ExperimentSpec spec = loadSpecText("model.name = \"ffn-stack-tiny\"\n" + toml, "spec.toml", {});
        ExperimentRunner(others, ignored).run(spec, expand(spec), workspace());
    }

    static constexpr const char* kPart = "name = \"three\"\nworkload.sequence_length = 16\n";
};

TEST_F(ResumeTest, runsNoFinishedRepeatTwice)
{
    const ResultsDocument first = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_EQ(requests(), 6u);
    options.mode = RunMode::Resume;
    const ResultsDocument second = run(std::string(kThree) + "protocol.repeats = 2\n");
    EXPECT_EQ(requests(), 6u);
    EXPECT_EQ(second.trials, first.trials);
    EXPECT_EQ(experiments(), 1u);
    EXPECT_EQ(summary.count(Outcome::Completed), 3);
}

TEST_F(ResumeTest, runsAgainWhatFailedAndReplacesIt)
{
    script("kill@16");
    run(kThree);
    EXPECT_EQ(summary.exitCode(), 3);
    script("");
    options.mode = RunMode::Resume;
    const auto document = run(kThree);
    EXPECT_EQ(requests(), 4u);
    EXPECT_EQ(document.trials[1].outcome, Outcome::Completed);
    EXPECT_EQ(summary.exitCode(), 0);
    auto stored = store::Workspace::open(workspace(), store::Access::ReadOnly);
    EXPECT_EQ(stored.repeats(stored.trials(1)[1].id)[0].outcome, Outcome::Completed);
}

TEST_F(ResumeTest, outOfMemoryIsFinished)
{
    script("oom@16");
    run(kThree);
    options.mode = RunMode::Resume;
    script("");
    EXPECT_EQ(run(kThree).trials[1].outcome, Outcome::OutOfMemory);
    EXPECT_EQ(requests(), 3u);
}

TEST_F(ResumeTest, continuesAfterAnInterruption)
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

TEST_F(ResumeTest, moreRepeatsOfTheSameTrialsAddUp)
{
    run(kThree);
    options.mode = RunMode::Resume;
    const auto document = run(std::string(kThree) + "protocol.repeats = 3\n");
    EXPECT_EQ(requests(), 9u);
    EXPECT_THAT(document.trials[0].speed.samplesSeconds, SizeIs(3));
}

TEST_F(ResumeTest, otherTrialsOrAnotherNameAreANewExperiment)
{
    run(kThree);
    options.mode = RunMode::Resume;
    run(std::string(kThree) + "workload.batch = 7\n");
    EXPECT_EQ(requests(), 6u);
    run("name = \"other\"\nworkload.sequence_length = [8, 16, 32]\n");
    EXPECT_EQ(requests(), 9u);
    EXPECT_EQ(experiments(), 3u);
}

TEST_F(ResumeTest, aPartOfTheTrialsContinuesTheWholeExperiment)
{
    run(kThree);
    options.mode = RunMode::Resume;
    run("name = \"three\"\nworkload.sequence_length = 16\n");
    EXPECT_EQ(requests(), 3u);
    EXPECT_EQ(experiments(), 1u);
}

TEST_F(ResumeTest, whatAnotherRunIsAtIsRefusedAndSaysWhoThatIs)
{
    std::string resumed;
    notes.onRepeat = [&](const PlannedTrial& trial, int) {
        if (trial.label.find("16") == std::string::npos)
            return;
        resumed = refusal<FileError>([&] { runAnother(kThree, RunMode::Resume); });
        EXPECT_NO_THROW(runAnother(kThree, RunMode::New));
    };
    run(kThree);
    EXPECT_THAT(resumed, HasSubstr("experiment 1 (three) is run at this moment by process "));
    EXPECT_THAT(resumed, HasSubstr("without --resume"));
    EXPECT_EQ(experiments(), 2u);
    EXPECT_EQ(requests(), 6u);
    EXPECT_NO_THROW(runAnother(kThree, RunMode::Resume)) << "it has ended";
    EXPECT_THAT(filesBeside(), IsEmpty());
}

TEST_F(ResumeTest, aRunThatCannotGoOnGivesItsExperimentBack)
{
    notes.onRepeat = [&](const PlannedTrial&, int) { throw FileError("the disk is full"); };
    EXPECT_THROW(run(kThree), FileError);
    notes.onRepeat = {};
    options.mode = RunMode::Resume;
    EXPECT_EQ(run(kThree).trials.size(), 3u);
    EXPECT_EQ(experiments(), 1u);
}

TEST_F(ResumeTest, spoolsOfRunsThatAreGoneAreRemovedByTheNextRun)
{
    run(kThree);
    const std::string left = workspace().string() + ".1-1-0.99999999-5.spool";
    writeText(left, "x");
    writeText(left + "-journal", "x");
    std::filesystem::create_directory(workspace().string() + ".1.99999999-5.spools");
    writeText(workspace().string() + ".1.99999999-5.spools/1-0.spool", "x");
    writeText(workspace().string() + ".1.run", "{}");
    run("name = \"other\"\n");
    EXPECT_THAT(filesBeside(), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(left + "-journal"));
}

TEST_F(ResumeTest, aRunThatEndsEarlyLeavesNoSpool)
{
    class FullDisk : public Notes {
        void sampleTaken(const PlannedTrial&, std::int64_t, double) override { throw FileError("the disk is full"); }
    } fullDisk;
    script("spool"); // which is written before the samples are told
    options.tracing = Tracing::On;
    const ExperimentSpec spec = loadSpecText("model.name = \"ffn-stack-tiny\"\n", "spec.toml", {});
    EXPECT_THROW(ExperimentRunner(options, fullDisk).run(spec, expand(spec), workspace()), FileError);
    EXPECT_THAT(filesBeside(), IsEmpty());
}

TEST_F(ResumeTest, aFinishedExperimentStaysSoWhereNothingOfAPartIsToBeRun)
{
    run(kThree);
    const store::ExperimentRow before = row();
    ASSERT_TRUE(before.finishedAt);
    options.mode = RunMode::Resume;
    run(kPart);
    EXPECT_EQ(row(), before);
}

TEST_F(ResumeTest, aPartThatWasTheLastOfItEndsTheExperiment)
{
    script("exit@16");
    run(kThree);
    script("");
    options.mode = RunMode::Resume;
    notes.onRepeat = [&](const PlannedTrial&, int) { EXPECT_FALSE(row().finishedAt); };
    run(kPart);
    ASSERT_TRUE(row().finishedAt);
    const OrderedJson whole = OrderedJson::parse(row().summaryJson.value());
    EXPECT_EQ(whole.at("trials"), 3) << "of the whole";
    EXPECT_EQ(whole.at("completed"), 3);
    EXPECT_EQ(whole.at("not_run"), 0);
    EXPECT_EQ(whole.at("exit_code"), 0);
}

TEST_F(ResumeTest, aPartThatIsNotTheLastLeavesTheExperimentOpen)
{
    options.onFailure = FailurePolicy::FailFast;
    script("exit@8");
    run(kThree);
    script("");
    options.mode = RunMode::Resume;
    run(kPart);
    EXPECT_FALSE(row().finishedAt);
    run(kThree);
    EXPECT_TRUE(row().finishedAt);
}

// The first experiment of that name has more trials, of which one is another.
TEST_F(ResumeTest, aNewRunBesideALargerExperimentOfItsNameIsNoPart)
{
    run(kThree);
    options.mode = RunMode::Resume;
    run("name = \"three\"\nworkload.sequence_length = [16, 64]\n");
    ASSERT_EQ(experiments(), 2u);
    EXPECT_TRUE(row(2).finishedAt);
}

TEST_F(ResumeTest, aDamagedResultIsMeasuredAgainAndTheOthersAreKept)
{
    const ResultsDocument first = run(kThree);
    edit("UPDATE repeats SET result_json = 'nonsense' WHERE id = 2");
    options.mode = RunMode::Resume;
    const ResultsDocument second = run(kThree);
    EXPECT_EQ(requests(), 4u);
    EXPECT_EQ(second.trials, first.trials);
    EXPECT_THAT(notes.remarks, testing::Contains(HasSubstr("result of repeat 2 is damaged")));
    run(kThree);
    EXPECT_EQ(requests(), 4u) << "it is whole again";
}

TEST_F(ResumeTest, withoutResumeEveryRunIsAnExperimentOfItsOwn)
{
    run(kThree);
    run(kThree);
    EXPECT_EQ(requests(), 6u);
    EXPECT_EQ(experiments(), 2u);
}

} // namespace
} // namespace headroom::experiments
