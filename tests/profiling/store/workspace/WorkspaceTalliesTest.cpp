// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

#include <gmock/gmock.h>

namespace headroom::store {
namespace {

using testing::ElementsAre;
using testing::Pair;

class WorkspaceTalliesTest : public StoreTest {
protected:
    WorkspaceTalliesTest()
        : m_workspace(create())
    {
    }

    std::int64_t experiment() { return m_workspace.addExperiment({.name = "sweep"}); }

    std::int64_t trial(std::int64_t experiment, const std::string& trialId, const std::string& device = "cpu")
    {
        TrialRow row;
        row.trialId = trialId;
        row.device = device;
        row.requestJson = R"({"model":{"name":"model of )" + device + R"("}})";
        row.expectedRepeats = 2;
        return m_workspace.addTrials(experiment, std::vector{row}).front();
    }

    void repeat(std::int64_t trial, int index, Outcome outcome, std::chrono::milliseconds length = {})
    {
        RepeatImport source = repeatOf(trial, index, outcome);
        source.repeat.startedAt = Timestamp(std::chrono::seconds(1'000));
        source.repeat.finishedAt = *source.repeat.startedAt + length;
        m_workspace.importRepeat(source);
    }

    Workspace m_workspace;
};

TEST_F(WorkspaceTalliesTest, eachTrialCountsOnceWithItsWorstRepeat)
{
    const std::int64_t sweep = experiment();
    const std::int64_t failed = trial(sweep, "a");
    repeat(failed, 0, Outcome::Failed);
    repeat(failed, 1, Outcome::Completed);
    const std::int64_t full = trial(sweep, "b", "sim:t4");
    repeat(full, 0, Outcome::Completed);
    repeat(full, 1, Outcome::OutOfMemory);
    repeat(trial(sweep, "c"), 0, Outcome::Completed);
    trial(sweep, "d");

    const auto tallies = m_workspace.tallies();
    ASSERT_EQ(tallies.size(), 1U);
    const ExperimentTally& tally = tallies.at(sweep);
    EXPECT_EQ(tally.trials, 4);
    EXPECT_EQ(tally.reached, 3);
    EXPECT_THAT(tally.outcomes,
        ElementsAre(Pair(Outcome::Completed, 1), Pair(Outcome::OutOfMemory, 1), Pair(Outcome::Failed, 1)));
    EXPECT_THAT(tally.devices, ElementsAre("cpu", "sim:t4"));
    EXPECT_THAT(tally.models, ElementsAre("model of cpu", "model of sim:t4"));
}

TEST_F(WorkspaceTalliesTest, experimentsAreCountedApart)
{
    const std::int64_t first = experiment();
    const std::int64_t second = experiment();
    trial(first, "a");
    trial(second, "a");
    trial(second, "b");
    const auto tallies = m_workspace.tallies();
    EXPECT_EQ(tallies.at(first).trials, 1);
    EXPECT_EQ(tallies.at(second).trials, 2);
}

TEST_F(WorkspaceTalliesTest, aTrialTakesAsLongAsItsCompletedRepeatsDidInAllExperiments)
{
    using std::chrono::milliseconds;
    const std::int64_t once = trial(experiment(), "a");
    repeat(once, 0, Outcome::Completed, milliseconds(1'000));
    repeat(once, 1, Outcome::Failed, milliseconds(50));
    repeat(trial(experiment(), "a"), 0, Outcome::Completed, milliseconds(2'500));
    trial(experiment(), "never ran");
    EXPECT_THAT(m_workspace.repeatSeconds(), ElementsAre(Pair("a", 1.75)));
}

TEST_F(WorkspaceTalliesTest, whatAnotherConnectionWritesChangesTheVersion)
{
    Workspace reader = Workspace::open(workspacePath(), Access::ReadOnly);
    const std::int64_t before = reader.dataVersion();
    EXPECT_EQ(reader.dataVersion(), before);
    experiment();
    EXPECT_NE(reader.dataVersion(), before);
}

} // namespace
} // namespace headroom::store
