// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationRun.h"

#include "core/base/Error.h"
#include "tests/experiments/run/ScriptedEnvironment.h"
#include "tests/experiments/validation/DrawnPairs.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::SizeIs;

class ValidationRunTest : public ScriptedEnvironment {
protected:
    ValidationRows validated(int jobs, const RowSink& sink = {})
    {
        m_options.worker = worker();
        m_options.jobs = jobs;
        return validate(m_pairs, m_options, sink);
    }

    const std::vector<ValidationPair> m_pairs = pairsOfStacks(6);
    ValidationOptions m_options;
};

TEST_F(ValidationRunTest, measuresInFreshProcessesAndSimulatesInAResidentOne)
{
    const ValidationRows rows = validated(1);
    ASSERT_THAT(rows.rows, SizeIs(6));
    EXPECT_THAT(logged("start"), SizeIs(7));
    EXPECT_THAT(logged("request"), SizeIs(12));
    EXPECT_EQ(rows.rows[2].trialId, m_pairs[2].measured.trialId);
    EXPECT_EQ(rows.rows[2].measured.allocated, 5000);
    EXPECT_EQ(rows.rows[2].allocatedError(), 0.0);
    EXPECT_EQ(rows.worker->torchVersion, "2.11.0");
    EXPECT_FALSE(rows.wasStopped);
}

TEST_F(ValidationRunTest, severalSideBySideGiveTheSameRowsInTheSameOrder)
{
    std::size_t told = 0;
    const ValidationRows rows = validated(3, [&](const ValidationRow&) { ++told; });
    EXPECT_EQ(told, 6U);
    EXPECT_EQ(rows.rows, validated(1).rows);
}

TEST_F(ValidationRunTest, aTrialThatDiesOnBothSidesIsARowAndTheOthersGoOn)
{
    script("segv@" + lengthOf(m_pairs[1]));
    const ValidationRows rows = validated(2);
    ASSERT_THAT(rows.rows, SizeIs(6));
    EXPECT_FALSE(rows.rows[1].isAnswered());
    EXPECT_EQ(rows.rows[1].measured.outcome, Outcome::Failed);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(rows.rows[i].isAnswered(), lengthOf(m_pairs[i]) != lengthOf(m_pairs[1])) << i;
}

TEST_F(ValidationRunTest, aTrialThatHangsIsGivenUp)
{
    script("hang@" + lengthOf(m_pairs[0]));
    m_options.timeout = std::chrono::milliseconds(300);
    EXPECT_EQ(validated(4).rows[0].measured.outcome, Outcome::TimedOut);
}

TEST_F(ValidationRunTest, aStopKeepsWhatIsThere)
{
    std::stop_source stop;
    m_options.stop = stop.get_token();
    std::size_t told = 0;
    const ValidationRows rows = validated(1, [&](const ValidationRow&) {
        if (++told == 2)
            stop.request_stop();
    });
    EXPECT_THAT(rows.rows, SizeIs(2));
    EXPECT_TRUE(rows.wasStopped);
}

// As when it is built anew meanwhile.
TEST_F(ValidationRunTest, aWorkerThatGoesAwayCostsNothingThatWasCompared)
{
    std::filesystem::copy_file(worker(), folder() / "worker");
    m_options.worker = folder() / "worker";
    std::size_t told = 0;
    const ValidationRows rows = validate(m_pairs, m_options, [&](const ValidationRow&) {
        if (++told == 2)
            std::filesystem::remove(m_options.worker);
    });
    EXPECT_THAT(rows.rows, SizeIs(2));
    ASSERT_TRUE(rows.failure);
    EXPECT_THROW(std::rethrow_exception(rows.failure), FileError);
    EXPECT_FALSE(rows.wasStopped);
}

TEST_F(ValidationRunTest, aWorkerThatIsNotThereIsAnError)
{
    m_options.worker = folder() / "nobody";
    EXPECT_THROW(validate(m_pairs, m_options), FileError);
}

} // namespace
} // namespace headroom::experiments
