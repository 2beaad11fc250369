// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/TrialDeletion.h"

#include "core/base/Error.h"
#include "experiments/archive/StoredResults.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/Refusal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

namespace headroom::experiments::trial_deletion_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class TrialDeletionTest : public RunFixture {
protected:
    StoredExperiment newest()
    {
        store::Workspace stored = openForReading(workspace());
        return readExperiment(stored, chooseExperiment(stored, "", "--experiment"));
    }

    int count(const std::string& table)
    {
        return SQLite::Database(workspace().string()).execAndGet("SELECT count(*) FROM " + table).getInt();
    }
};

TEST_F(TrialDeletionTest, aTrialGoesWithEverythingOfIts)
{
    run(kThree);
    const StoredExperiment before = newest();
    ASSERT_THAT(before.trials, SizeIs(3));
    const int samples = count("samples");
    ASSERT_GT(samples, 0);
    const DeletedTrials deleted =
        deleteTrials(workspace(), before.row.id, {before.trials[1].planned.trialId, "no such trial"});
    EXPECT_EQ(deleted.trials, 1);
    EXPECT_FALSE(deleted.isExperimentGone);
    const StoredExperiment after = newest();
    ASSERT_THAT(after.trials, SizeIs(2));
    EXPECT_EQ(after.trials[1].planned.trialId, before.trials[2].planned.trialId);
    EXPECT_EQ(count("repeats"), 2);
    EXPECT_EQ(count("samples"), samples / 3 * 2);
    DeviceFit deviceFit(options.resources);
    EXPECT_EQ(resultsOf(after, deviceFit).summary.at("trials"), 2);
}

TEST_F(TrialDeletionTest, theLastTrialTakesItsExperimentWithIt)
{
    run(kThree);
    const StoredExperiment before = newest();
    std::set<std::string> all;
    for (const StoredTrial& trial : before.trials)
        all.insert(trial.planned.trialId);
    EXPECT_TRUE(deleteTrials(workspace(), before.row.id, all).isExperimentGone);
    EXPECT_EQ(count("experiments"), 0);
    EXPECT_EQ(count("repeats"), 0);
}

TEST_F(TrialDeletionTest, anExperimentThatIsBeingRunIsLeftAlone)
{
    run(kThree);
    const StoredExperiment before = newest();
    const auto claim = RunClaim::take(workspace(), before.row.id, "headroom run");
    ASSERT_TRUE(claim);
    EXPECT_THAT(
        refusal<FileError>([&] { deleteTrials(workspace(), before.row.id, {before.trials[0].planned.trialId}); }),
        HasSubstr("is being run"));
    EXPECT_THAT(newest().trials, SizeIs(3));
}

} // namespace
} // namespace headroom::experiments::trial_deletion_test
