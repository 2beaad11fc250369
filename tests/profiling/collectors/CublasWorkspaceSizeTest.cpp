// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CublasWorkspaceSize.h"

#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

constexpr Bytes kKib = 1024;

Bytes bytesWith(const char* setting, simulator::ComputeCapability capability = {8, 0})
{
    return cublasWorkspaceBytes(setting, profiles().runtime("torch-2.11"), capability);
}

TEST(CublasWorkspaceSizeTest, isTheLibrarysOwnWithoutASetting)
{
    EXPECT_EQ(bytesWith(nullptr), 8320 * kKib);
    EXPECT_EQ(bytesWith(""), 8320 * kKib);
    EXPECT_EQ(bytesWith(nullptr, {9, 0}), 32768 * kKib);
}

TEST(CublasWorkspaceSizeTest, isTheSumOfASettingsParts)
{
    EXPECT_EQ(bytesWith(":16:8"), 128 * kKib);
    EXPECT_EQ(bytesWith(":4096:2:16:8"), 8320 * kKib);
    EXPECT_EQ(bytesWith(":0:0"), 0);
}

TEST(CublasWorkspaceSizeTest, leavesOutASettingThatCannotBeRead)
{
    for (const char* setting : {"4096:2", ":4096", ":4096:two", ":4096:2,"})
        EXPECT_EQ(bytesWith(setting), 8320 * kKib) << setting;
}

} // namespace
} // namespace headroom::collectors
