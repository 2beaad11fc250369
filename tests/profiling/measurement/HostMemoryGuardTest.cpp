// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/BaselineComparison.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/resource.h>

namespace headroom::collectors {
namespace {

rlim_t softLimit()
{
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    return limit.rlim_cur;
}

// Tests of limits leave theirs behind.
void liftLimit()
{
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

bool canMap(Bytes bytes)
{
    void* address =
        mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return false;
    munmap(address, static_cast<std::size_t>(bytes));
    return true;
}

TEST(HostMemoryGuardTest, moreThanIsAvailableCannotBeMappedWhileItLives)
{
    liftLimit();
    const auto available = availableHostBytes();
    ASSERT_TRUE(available);
    ASSERT_GT(*available, 0);
    const rlim_t before = softLimit();
    {
        const HostMemoryGuard guard;
        EXPECT_FALSE(canMap(2 * *available));
        EXPECT_TRUE(canMap(*available / 2));
    }
    EXPECT_EQ(softLimit(), before);
    EXPECT_TRUE(canMap(2 * *available));
}

} // namespace
} // namespace headroom::collectors
