// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

namespace headroom::store {
namespace {

using WorkspaceTest = StoreTest;

ExperimentRow experimentNamed(const std::string& name, int secondsSinceEpoch)
{
    ExperimentRow row;
    row.name = name;
    row.createdAt = Timestamp(std::chrono::seconds(secondsSinceEpoch));
    row.specToml = "name = \"" + name + "\"";
    row.specJson = "{}";
    row.commandLine = "headroom run x.toml";
    row.headroomVersion = "0.1.0";
    return row;
}

TrialRow trialNamed(const std::string& trialId, std::int64_t ordinal)
{
    TrialRow row;
    row.ordinal = ordinal;
    row.trialId = trialId;
    row.configId = "c" + trialId;
    row.label = "checkpointing=all";
    row.device = "sim:t4";
    row.runtime = "torch-2.11";
    row.predicted = true;
    row.requestJson = R"({"model":"ffn-stack"})";
    row.expectedRepeats = 3;
    return row;
}

TEST_F(WorkspaceTest, experimentsRoundTripAndTheNewestComesFirst)
{
    Workspace workspace = create();
    ExperimentRow older = experimentNamed("a", 100);
    ExperimentRow newer = experimentNamed("a", 200);
    ExperimentRow other = experimentNamed("b", 150);
    older.id = workspace.addExperiment(older);
    newer.id = workspace.addExperiment(newer);
    other.id = workspace.addExperiment(other);
    EXPECT_EQ(workspace.experiments(), (std::vector{other, newer, older}));
    EXPECT_EQ(workspace.findExperiment("a"), newer);
    EXPECT_EQ(workspace.findExperiment(older.id), older);
    EXPECT_EQ(workspace.findExperiment("c"), std::nullopt);
}

TEST_F(WorkspaceTest, aClockThatWasPutBackMakesNoExperimentOlder)
{
    Workspace workspace = create();
    ExperimentRow before = experimentNamed("a", 200);
    ExperimentRow after = experimentNamed("a", 100);
    before.id = workspace.addExperiment(before);
    after.id = workspace.addExperiment(after);
    EXPECT_EQ(workspace.experiments(), (std::vector{after, before}));
    EXPECT_EQ(workspace.findExperiment("a"), after);
}

TEST_F(WorkspaceTest, anExperimentKeepsHowItEndedUntilItRunsAgain)
{
    Workspace workspace = create();
    ExperimentRow row = experimentNamed("a", 100);
    row.id = workspace.addExperiment(row);
    ExperimentRow ended = row;
    ended.finishedAt = Timestamp(std::chrono::seconds(160));
    ended.summaryJson = R"({"trials":3})";
    ended.environment = workspace.addEnvironment(R"({"host":"here"})");
    workspace.finishExperiment(row.id, {*ended.finishedAt, *ended.summaryJson, *ended.environment});
    EXPECT_EQ(workspace.findExperiment(row.id), ended);
    workspace.reopenExperiment(row.id);
    EXPECT_EQ(workspace.findExperiment(row.id), row);
}

TEST_F(WorkspaceTest, trialsRoundTripInTheOrderOfTheSweep)
{
    Workspace workspace = create();
    const std::int64_t experiment = workspace.addExperiment(experimentNamed("a", 1));
    std::vector rows{trialNamed("y", 1), trialNamed("x", 0)};
    rows[1].runtime.reset();
    rows[1].predicted = false;
    const auto ids = workspace.addTrials(experiment, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].id = ids[i];
        rows[i].experiment = experiment;
    }
    EXPECT_EQ(workspace.trials(experiment), (std::vector{rows[1], rows[0]}));
    EXPECT_EQ(workspace.findTrial("y"), rows[0]);
    EXPECT_EQ(workspace.findTrial(ids[1]), rows[1]);
}

TEST_F(WorkspaceTest, aTrialIdFindsTheTrialOfTheNewestExperiment)
{
    Workspace workspace = create();
    workspace.addTrials(workspace.addExperiment(experimentNamed("a", 1)), std::vector{trialNamed("x", 0)});
    const auto newer =
        workspace.addTrials(workspace.addExperiment(experimentNamed("a", 2)), std::vector{trialNamed("x", 0)});
    EXPECT_EQ(workspace.findTrial("x")->id, newer.front());
}

TEST_F(WorkspaceTest, trialsAreAddedAllOrNone)
{
    Workspace workspace = create();
    const std::int64_t experiment = workspace.addExperiment(experimentNamed("a", 1));
    const std::vector twice{trialNamed("x", 0), trialNamed("x", 1)};
    EXPECT_THROW(workspace.addTrials(experiment, twice), FileError);
    EXPECT_TRUE(workspace.trials(experiment).empty());
    EXPECT_THROW(workspace.addTrials(experiment + 1, std::vector{trialNamed("x", 0)}), FileError);
}

TEST_F(WorkspaceTest, anEnvironmentIsStoredOnce)
{
    Workspace workspace = create();
    const std::int64_t first = workspace.addEnvironment(R"({"cpu":"a"})");
    const std::int64_t second = workspace.addEnvironment(R"({"cpu":"b"})");
    EXPECT_EQ(workspace.addEnvironment(R"({"cpu":"a"})"), first);
    EXPECT_NE(first, second);
    EXPECT_EQ(workspace.environment(second), R"({"cpu":"b"})");
    EXPECT_EQ(workspace.environment(99), std::nullopt);
}

TEST_F(WorkspaceTest, readsWhatWasWrittenAfterReopening)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
        workspace.setTrialStatus(trial, TrialStatus::Running);
    }
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadOnly);
    EXPECT_EQ(workspace.findTrial(trial)->status, TrialStatus::Running);
    EXPECT_EQ(workspace.findExperiment("sweep")->name, "sweep");
}

TEST_F(WorkspaceTest, isOneFileWhenClosed)
{
    {
        Workspace workspace = create();
        addTrial(workspace);
    }
    const auto written = snapshot();
    EXPECT_EQ(written.size(), 1U);
    EXPECT_EQ(Workspace::open(workspacePath(), Access::ReadOnly).experiments().size(), 1U);
    EXPECT_EQ(snapshot(), written);
}

TEST_F(WorkspaceTest, aReaderCannotWrite)
{
    create();
    Workspace reader = Workspace::open(workspacePath(), Access::ReadOnly);
    EXPECT_EQ(refusal<FileError>([&]() { reader.addExperiment({}); }),
        workspacePath().string() + ": the workspace is read-only (valid: a file and folder with write permission)");
}

TEST_F(WorkspaceTest, namesWithAwkwardCharactersWork)
{
    const auto path = file("100% of # what? it's \"ü\".db");
    {
        Workspace workspace = Workspace::open(path, Access::Create);
        addTrial(workspace);
    }
    EXPECT_EQ(Workspace::open(path, Access::ReadOnly).experiments().size(), 1U);
}

TEST_F(WorkspaceTest, anEmptyFileBecomesAWorkspace)
{
    writeText(workspacePath(), "");
    EXPECT_TRUE(create().experiments().empty());
}

TEST_F(WorkspaceTest, diagnosticsMayStandForAnExperimentAlone)
{
    Workspace workspace = create();
    const std::int64_t experiment = workspace.addExperiment(experimentNamed("a", 1));
    DiagnosticRow row;
    row.experiment = experiment;
    row.severity = Severity::Info;
    row.kind = "excluded";
    row.message = "3 trials do not fit";
    row.count = 3;
    row.id = workspace.addDiagnostic(row);
    EXPECT_EQ(workspace.experimentDiagnostics(experiment), std::vector{row});
}

} // namespace
} // namespace headroom::store
