// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/MeasuredCard.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Bytes kMebibyte = 1024 * 1024;

class MeasuredCardTest : public testing::Test {
protected:
    MeasuredCardTest()
    {
        m_machine.cudaUsable = true;
        m_machine.details["cuda_devices"] = {{{"name", "cuda:0"}, {"title", "NVIDIA H100 80GB HBM3"},
            {"total_bytes", 81008 * kMebibyte}, {"compute_capability", "9.0"}}};
    }

    std::string differencesFrom(const std::string& profile) const
    {
        const simulator::ProfileCatalogue profiles(config::resourceDirectory());
        return differencesBetween(
            MeasuredCard::find(m_machine, config::parseDevice("cuda:0", "here")), profiles.device(profile));
    }

    protocol::WorkerDescription m_machine;
};

TEST_F(MeasuredCardTest, itsOwnProfileIsAlike)
{
    EXPECT_THAT(differencesFrom("h100-80gb"), IsEmpty());
}

TEST_F(MeasuredCardTest, whatDiffersIsNamedWithBothValues)
{
    EXPECT_THAT(differencesFrom("h200"), AllOf(HasSubstr("79.1 GiB of memory measured"), Not(HasSubstr("capability"))));
    EXPECT_THAT(differencesFrom("a100-80gb"), HasSubstr("compute capability 9.0 measured, 8.0 predicted"));
}

TEST_F(MeasuredCardTest, aProcessorsProfileSaysNothingToCompare)
{
    EXPECT_THAT(differencesFrom("cpu"), IsEmpty());
}

TEST_F(MeasuredCardTest, aCardThatIsNotThereIsRefusedWithThoseThatAre)
{
    try {
        MeasuredCard::find(m_machine, config::parseDevice("cuda:3", "here"));
        FAIL() << "nothing thrown";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("found cuda:3"), HasSubstr("cuda:0")));
    }
}

TEST_F(MeasuredCardTest, withoutCudaTheReasonIsSaid)
{
    m_machine.cudaUsable = false;
    m_machine.cudaReason = "no driver";
    EXPECT_THROW(MeasuredCard::find(m_machine, config::parseDevice("cuda:0", "here")), TrialError);
}

} // namespace
} // namespace headroom::cli
