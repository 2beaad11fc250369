// SPDX-License-Identifier: Apache-2.0
//
// Runs whose workspace is lost while they go on.
#include "experiments/archive/UnsavedRun.h"

#include "experiments/archive/ExperimentArchive.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/ChildProcess.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>

namespace headroom::experiments::unsaved_run_test {
namespace {

class UnsavedRunTest : public RunFixture {
protected:
    // Runs and, before the repeat of this number begins, does something to the workspace.
    template <typename Failure> std::shared_ptr<const UnsavedRun> runUntil(int repeat, const std::function<void()>& act)
    {
        int begun = 0;
        notes.onRepeat = [&](const PlannedTrial&, int) {
            if (begun++ == repeat)
                act();
        };
        const ExperimentSpec spec = loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\n") + kThree, "spec", {});
        ExperimentRunner runner(options, notes);
        EXPECT_THROW(runner.run(spec, expand(spec), workspace()), Failure);
        notes.onRepeat = nullptr; // what it refers to goes with this call
        return runner.unsaved();
    }
};

TEST_F(UnsavedRunTest, aWorkspaceThatIsDeletedMeanwhileEndsTheRunAndIsNotMadeAnew)
{
    const auto unsaved = runUntil<store::DisplacedFileError>(1, [&] { std::filesystem::remove(workspace()); });
    ASSERT_NE(unsaved, nullptr);
    EXPECT_EQ(unsaved->repeats.size(), 2u); // the one that could not be stored included
    EXPECT_EQ(logged("request").size(), 2u); // and nothing was run after it
    EXPECT_FALSE(std::filesystem::exists(workspace()));
}

TEST_F(UnsavedRunTest, whatWasFinishedIsSavedElsewhereAndGoneOnWith)
{
    const auto unsaved = runUntil<store::DisplacedFileError>(2, [&] { std::filesystem::remove(workspace()); });
    ASSERT_NE(unsaved, nullptr);
    const auto rescue = folder() / "rescued.db";
    saveRun(*unsaved, rescue);
    {
        auto stored = store::Workspace::open(rescue, store::Access::ReadOnly);
        const auto trials = stored.trials(stored.experiments().at(0).id);
        ASSERT_EQ(trials.size(), 3u);
        for (const store::TrialRow& trial : trials)
            EXPECT_EQ(stored.repeats(trial.id).at(0).outcome, Outcome::Completed);
    }
    std::filesystem::rename(rescue, workspace());
    const std::size_t requests = logged("request").size();
    options.mode = RunMode::Resume;
    EXPECT_EQ(run(kThree).trials.size(), 3u);
    EXPECT_EQ(logged("request").size(), requests);
}

TEST_F(UnsavedRunTest, trialsThatSomebodyDeletedAreAWorkspaceThatTakesNoMore)
{
    const auto unsaved = runUntil<store::UnusableFileError>(1, [&] { edit("DELETE FROM trials"); });
    ASSERT_NE(unsaved, nullptr);
    EXPECT_EQ(unsaved->repeats.size(), 2u);
}

// As an input/output error, a lock that is not given back and a file that became read-only do.
TEST_F(UnsavedRunTest, whateverKeepsAWorkspaceFromTakingAResultItIsKept)
{
    const auto unsaved = runUntil<FileError>(
        1, [&] { edit("CREATE TRIGGER refuses BEFORE INSERT ON repeats BEGIN SELECT RAISE(ABORT, 'refused'); END"); });
    ASSERT_NE(unsaved, nullptr);
    EXPECT_EQ(unsaved->repeats.size(), 2u);
    saveRun(*unsaved, folder() / "rescued.db");
    auto stored = store::Workspace::open(folder() / "rescued.db", store::Access::ReadOnly);
    EXPECT_EQ(stored.repeats(stored.trials(1).at(1).id).size(), 1u);
}

TEST_F(UnsavedRunTest, aRunThatMustNotMakeItsWorkspaceDoesNot)
{
    options.workspaceUse = WorkspaceUse::MustExist;
    EXPECT_THROW(run(kThree), FileError);
    EXPECT_FALSE(std::filesystem::exists(workspace()));
    EXPECT_TRUE(logged("request").empty());
}

TEST_F(UnsavedRunTest, namesForRescuesAreFree)
{
    EXPECT_EQ(rescueFileFor(workspace()), folder() / "headroom.rescued.db");
    writeText(folder() / "headroom.rescued.db", "x");
    EXPECT_EQ(rescueFileFor(workspace()), folder() / "headroom.rescued-2.db");
    EXPECT_EQ(rescueFileFor("headroom.db").filename(), "headroom.rescued.db");
}

// A limit on the size of files stands for a disk without room. The trace is far larger than the figures.
class FullDiskTest : public UnsavedRunTest {
protected:
    // In a process of its own, as the limit cannot be taken back. 0 where `body` met no failed expectation.
    static int inChildWithLimit(rlim_t bytes, const std::function<void()>& body)
    {
        return exitCodeOfChild([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{bytes, bytes};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            body();
        });
    }

    std::filesystem::path longSpool() const
    {
        const auto path = folder() / "headroom.db.1-0.spool";
        store::SpoolWriter spool(path);
        std::vector<trace::AllocatorEvent> events;
        for (std::int64_t i = 0; i < 200'000; ++i)
            events.push_back({i, static_cast<std::uint64_t>(i) * 7919, 4096 + i % 997, 4000 + i % 997, 0,
                i % 2 == 0 ? trace::Action::Alloc : trace::Action::FreeRequested});
        spool.append("device", events);
        spool.finish();
        return path;
    }
};

TEST_F(FullDiskTest, figuresAreKeptWhereOnlyTheTraceDoesNotFit)
{
    const ExperimentSpec spec = loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\n") + kThree, "spec", {});
    const auto trials = expand(spec);
    const auto spool = longSpool();
    ASSERT_GT(std::filesystem::file_size(spool), 1'000'000u);
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.stepSeconds = {0.5, 0.5};
    EXPECT_EQ(inChildWithLimit(800'000,
                  [&] {
                      ExperimentArchive archive(workspace());
                      archive.begin(spec, trials, RunMode::New, "test");
                      const std::string remark = archive.add({.trial = 0,
                          .repeat = 0,
                          .result = result,
                          .startedAt = {},
                          .environmentJson = "{}",
                          .spool = spool});
                      EXPECT_THAT(remark, testing::HasSubstr("the trace is not kept"));
                  }),
        0);
    EXPECT_FALSE(std::filesystem::exists(spool));
    auto stored = store::Workspace::open(workspace(), store::Access::ReadWrite);
    const auto repeats = stored.repeats(stored.trials(1).at(0).id);
    ASSERT_EQ(repeats.size(), 1u);
    EXPECT_EQ(repeats.at(0).outcome, Outcome::Completed);
    EXPECT_EQ(stored.samples(repeats.at(0).id).size(), 2u);
    EXPECT_EQ(stored.repeatDiagnostics(repeats.at(0).id).at(0).kind, "trace_not_kept");
    EXPECT_TRUE(stored.trace().tracks(repeats.at(0).id).empty());
}

TEST_F(FullDiskTest, whereNotEvenTheFiguresFitTheSpoolGoesAndTheErrorSaysFull)
{
    const ExperimentSpec spec = loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\n") + kThree, "spec", {});
    const auto trials = expand(spec);
    const auto spool = longSpool();
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.reason = std::string(900'000, 'x');
    EXPECT_EQ(inChildWithLimit(800'000,
                  [&] {
                      ExperimentArchive archive(workspace());
                      archive.begin(spec, trials, RunMode::New, "test");
                      EXPECT_THROW(archive.add({.trial = 0,
                                       .repeat = 0,
                                       .result = result,
                                       .startedAt = {},
                                       .environmentJson = "{}",
                                       .spool = spool}),
                          store::FullDiskError);
                  }),
        0);
    EXPECT_FALSE(std::filesystem::exists(spool));
}

} // namespace
} // namespace headroom::experiments::unsaved_run_test
