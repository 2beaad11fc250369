// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/ComparedRun.h"
#include "experiments/comparison/PairsOverTime.h"
#include "experiments/comparison/TrialPairs.h"
#include "tests/experiments/archive/SyntheticSweep.h"
#include "tests/experiments/recordings/StatementCount.h"
#include "tests/support/Checkout.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

class ComparedWorkspacesTest : public testing::Test {
protected:
    /// What explaining and laying over time asks of two workspaces of so many trials, after their results are read.
    int statementsFor(std::size_t trials)
    {
        const StatementCount count;
        const std::filesystem::path file = m_folder.file(std::to_string(trials) + ".db");
        writeSyntheticSweep(file, trials);
        DeviceFit deviceFit(shippedResources());
        StatementCount::connections() = 0;
        ComparedRun a = runInFile(file, deviceFit);
        ComparedRun b = runInFile(file, deviceFit);
        for (TrialResult& result : b.results)
            *result.memory.peak.reserved += kGiB; // peaks that differ are explained
        ResultComparison comparison = compareResults(std::move(a.results), std::move(b.results));
        EXPECT_EQ(comparison.pairs.size(), trials);
        StatementCount::statements() = 0;
        explainPeaks(comparison, a, b);
        layOverTime(comparison, a, b, std::nullopt, 10);
        m_connections = StatementCount::connections();
        return StatementCount::statements();
    }

    TemporaryFolder m_folder;
    int m_connections = 0;
};

// A query for each trial, over a connection of its own, took a minute for three thousand.
TEST_F(ComparedWorkspacesTest, whereTracesAreIsAskedOnceWhateverTheNumberOfTrials)
{
    EXPECT_EQ(statementsFor(10), 0) << "asked when the workspace was opened";
    EXPECT_EQ(m_connections, 2) << "one for each side";
    EXPECT_EQ(statementsFor(40), 0);
    EXPECT_EQ(m_connections, 2);
}

TEST_F(ComparedWorkspacesTest, aWorkspaceIsComparedWithItself)
{
    const std::filesystem::path file = m_folder.file("self.db");
    writeSyntheticSweep(file, 6);
    DeviceFit deviceFit(shippedResources());
    const ComparedRun a = runInFile(file, deviceFit);
    const ComparedRun b = runInFile(file, deviceFit);
    const ResultComparison comparison = compareResults(a.results, b.results);
    ASSERT_EQ(comparison.pairs.size(), 6u);
    for (const TrialPair& pair : comparison.pairs) {
        EXPECT_EQ(pair.verdict, PairVerdict::Same);
        EXPECT_EQ(pair.a.trialId, pair.b.trialId);
    }
    EXPECT_TRUE(comparison.onlyInA.empty());
    EXPECT_EQ(a.environment, OrderedJson({{"host", "nowhere"}}));
}

} // namespace
} // namespace headroom::experiments
