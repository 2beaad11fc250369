// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/HostProcess.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::collectors {
namespace {

TEST(HostProcessTest, residentMemoryGrowsWithWhatIsTouched)
{
    const auto before = residentBytes();
    if (!before)
        GTEST_SKIP() << "this system does not tell a process's resident memory";
    const std::vector<char> touched(64 * kMiB, 1);
    EXPECT_GE(*residentBytes() - *before, 60 * kMiB) << touched.size();
}

TEST(HostProcessTest, thePeakRemembersWhatWasGivenBackUntilItIsReset)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer keeps freed memory";
#endif
    if (!residentBytes())
        GTEST_SKIP() << "this system does not tell a process's resident memory";
    {
        const std::vector<char> touched(64 * kMiB, 1);
        EXPECT_EQ(touched.back(), 1);
    }
    const Bytes peak = *peakResidentBytes();
    EXPECT_GE(peak, *residentBytes());
    resetPeakResident();
    EXPECT_LE(*peakResidentBytes(), peak);
}

TEST(HostProcessTest, theAddressSpaceHoldsWhatIsResident)
{
    if (!residentBytes())
        GTEST_SKIP() << "this system does not tell a process's resident memory";
    EXPECT_GE(*addressSpaceBytes(), *residentBytes());
}

} // namespace
} // namespace headroom::collectors
