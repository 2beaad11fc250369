// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

namespace headroom::store {
namespace {

using BatchTest = StoreTest;

TEST_F(BatchTest, isSeenByOthersWhenItIsCommitted)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    Workspace reader = Workspace::open(workspacePath(), Access::ReadOnly);
    Workspace::Batch batch(workspace);
    for (int index = 0; index < 10; ++index)
        workspace.importRepeat(repeatOf(trial, index));
    EXPECT_TRUE(reader.repeats(trial).empty());
    batch.commit();
    EXPECT_EQ(reader.repeats(trial).size(), 10U);
    workspace.importRepeat(repeatOf(trial, 10));
    EXPECT_EQ(reader.repeats(trial).size(), 10U);
    batch.commit();
    EXPECT_EQ(reader.repeats(trial).size(), 11U);
}

TEST_F(BatchTest, rollsBackWhatWasNotCommitted)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    {
        Workspace::Batch batch(workspace);
        workspace.importRepeat(repeatOf(trial, 0));
        batch.commit();
        workspace.importRepeat(repeatOf(trial, 1));
    }
    EXPECT_EQ(workspace.repeats(trial).size(), 1U);
    workspace.importRepeat(repeatOf(trial, 2));
    EXPECT_EQ(workspace.repeats(trial).size(), 2U);
}

TEST_F(BatchTest, oneFailedImportLeavesTheOthersAlone)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    Workspace::Batch batch(workspace);
    workspace.importRepeat(repeatOf(trial, 0));
    RepeatImport broken = repeatOf(trial, 1);
    broken.samples = {{0, 1.0}, {0, 2.0}};
    EXPECT_THROW(workspace.importRepeat(broken), FileError);
    workspace.importRepeat(repeatOf(trial, 2));
    batch.commit();
    const auto repeats = workspace.repeats(trial);
    ASSERT_EQ(repeats.size(), 2U);
    EXPECT_EQ(repeats[0].repeatIndex, 0);
    EXPECT_EQ(repeats[1].repeatIndex, 2);
}

TEST_F(BatchTest, commitsByItselfOnlyWhenTheIntervalIsOver)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    Workspace reader = Workspace::open(workspacePath(), Access::ReadOnly);
    {
        Workspace::Batch patient(workspace, std::chrono::hours(1));
        workspace.importRepeat(repeatOf(trial, 0));
        patient.commitIfDue();
        EXPECT_TRUE(reader.repeats(trial).empty());
        patient.commit();
    }
    Workspace::Batch eager(workspace, std::chrono::milliseconds(0));
    workspace.importRepeat(repeatOf(trial, 1));
    eager.commitIfDue();
    EXPECT_EQ(reader.repeats(trial).size(), 2U);
}

} // namespace
} // namespace headroom::store
