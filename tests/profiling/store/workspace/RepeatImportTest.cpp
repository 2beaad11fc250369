// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

namespace headroom::store {
namespace {

using RepeatImportTest = StoreTest;

TEST_F(RepeatImportTest, everythingOfARepeatRoundTrips)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    RepeatImport source = repeatOf(trial, 0, Outcome::OutOfMemory);
    source.repeat.reason = "2.0 GiB more than there is";
    source.repeat.phase = "backward";
    source.repeat.resultJson = "{\"a\":1}";
    source.repeat.startedAt = Timestamp(std::chrono::milliseconds(1'700'000'000'123));
    source.repeat.finishedAt = Timestamp(std::chrono::milliseconds(1'700'000'004'567));
    source.repeat.peakAllocatedBytes = 3 * kGiB;
    source.repeat.environment = workspace.addEnvironment("{}");
    source.samples = {{0, 0.25}, {1, 0.125}};
    source.phases = {{"forward", 0, 10, 20}, {"forward", 1, 30, 40}};
    source.diagnostics.emplace_back().kind = "dropped_events";
    source.tracks.push_back({"device", trace::randomTrace(70'000), {}});
    const ImportResult result = workspace.importRepeat(source);
    source.repeat.id = result.repeat;
    EXPECT_EQ(result.status, ImportStatus::Imported);
    EXPECT_GT(result.blocks, 1);
    EXPECT_EQ(workspace.repeats(trial), std::vector{source.repeat});
    EXPECT_EQ(workspace.samples(result.repeat), source.samples);
    EXPECT_EQ(workspace.phases(result.repeat), source.phases);
    const auto diagnostics = workspace.repeatDiagnostics(result.repeat);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics.front().trial, trial);
    EXPECT_EQ(workspace.experimentDiagnostics(*diagnostics.front().experiment), diagnostics);
    const auto& events = source.tracks.front().events;
    EXPECT_EQ(workspace.trace().events(result.repeat, "device", 0, events.back().timeNs + 1), events);
    EXPECT_EQ(workspace.trace().tracks(result.repeat),
        (std::vector<TrackRow>{{"device", result.blocks, 70'000, events.front().timeNs, events.back().timeNs}}));
}

TEST_F(RepeatImportTest, aFinishedRepeatIsNeverOverwritten)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    for (const Outcome outcome : {Outcome::Completed, Outcome::OutOfMemory, Outcome::Skipped, Outcome::Failed}) {
        RepeatImport source = repeatOf(trial, static_cast<int>(outcome), outcome);
        source.samples = {{0, 1.0}};
        const std::int64_t first = workspace.importRepeat(source).repeat;
        source.samples = {{0, 2.0}};
        source.repeat.outcome = Outcome::Completed;
        const ImportResult second = workspace.importRepeat(source);
        EXPECT_EQ(second.status, ImportStatus::KeptFinished);
        EXPECT_EQ(second.repeat, first);
        EXPECT_EQ(workspace.samples(first), (std::vector<SampleRow>{{0, 1.0}}));
        EXPECT_TRUE(workspace.hasFinishedRepeat(trial, static_cast<int>(outcome)));
    }
}

TEST_F(RepeatImportTest, anUnfinishedRepeatIsReplacedWithAllThatBelongedToIt)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    RepeatImport cancelled = repeatOf(trial, 0, Outcome::Cancelled);
    cancelled.samples = {{0, 1.0}, {1, 1.0}};
    cancelled.phases = {{"load", -1, 0, 5}};
    cancelled.diagnostics.emplace_back().kind = "cancelled";
    cancelled.tracks.push_back({"device", trace::randomTrace(20'000), {}});
    const std::int64_t first = workspace.importRepeat(cancelled).repeat;
    EXPECT_FALSE(workspace.hasFinishedRepeat(trial, 0));
    RepeatImport completed = repeatOf(trial, 0);
    completed.samples = {{0, 3.0}};
    const std::int64_t second = workspace.importRepeat(completed).repeat;
    EXPECT_EQ(workspace.repeats(trial).size(), 1U);
    EXPECT_NE(second, first);
    EXPECT_EQ(workspace.samples(second), completed.samples);
    EXPECT_TRUE(workspace.samples(first).empty());
    EXPECT_TRUE(workspace.phases(first).empty());
    EXPECT_TRUE(workspace.repeatDiagnostics(first).empty());
    EXPECT_TRUE(workspace.trace().tracks(first).empty());
}

TEST_F(RepeatImportTest, aFailureIsReplacedWhereFailuresAreRetried)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    workspace.importRepeat(repeatOf(trial, 0, Outcome::Failed));
    EXPECT_FALSE(workspace.hasFinishedRepeat(trial, 0, Retry::Failures));
    RepeatImport again = repeatOf(trial, 0);
    again.retry = Retry::Failures;
    EXPECT_EQ(workspace.importRepeat(again).status, ImportStatus::Imported);
    EXPECT_EQ(workspace.repeats(trial).front().outcome, Outcome::Completed);
}

TEST_F(RepeatImportTest, aDamagedRepeatIsReplacedWhereEverythingIsRetried)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    RepeatImport damaged = repeatOf(trial, 0);
    damaged.repeat.resultJson = "{";
    damaged.samples = {{0, 9}};
    workspace.importRepeat(damaged);
    RepeatImport again = repeatOf(trial, 0);
    again.repeat.resultJson = "{}";
    again.retry = Retry::Everything;
    EXPECT_EQ(workspace.importRepeat(again).status, ImportStatus::Imported);
    ASSERT_EQ(workspace.repeats(trial).size(), 1U);
    EXPECT_EQ(workspace.repeats(trial)[0].resultJson, "{}");
    EXPECT_TRUE(workspace.samples(workspace.repeats(trial)[0].id).empty());
}

TEST_F(RepeatImportTest, aTrialIsDoneWithItsLastExpectedRepeat)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace, 2);
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Planned);
    workspace.importRepeat(repeatOf(trial, 0));
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Running);
    workspace.importRepeat(repeatOf(trial, 1, Outcome::Cancelled));
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Running);
    workspace.importRepeat(repeatOf(trial, 1, Outcome::Failed));
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Done);
}

TEST_F(RepeatImportTest, anImportThatFailsHalfWayLeavesNothing)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    RepeatImport source = repeatOf(trial, 0);
    source.samples = {{0, 1.0}, {0, 2.0}}; // the same step twice
    EXPECT_THROW(workspace.importRepeat(source), FileError);
    EXPECT_TRUE(workspace.repeats(trial).empty());
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Planned);
}

TEST_F(RepeatImportTest, anUnknownTrialIsNamed)
{
    Workspace workspace = create();
    EXPECT_EQ(refusal<FileError>([&]() { workspace.importRepeat(repeatOf(7, 0)); }),
        workspacePath().string() + ": there is no trial 7 to import a repeat into");
}

} // namespace
} // namespace headroom::store
