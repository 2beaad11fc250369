// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(ErrorTest, saysWhereWhatAndWhatWouldBeRight)
{
    const UsageError error("found 3", "spec.toml:12", "an even number");
    EXPECT_STREQ(error.what(), "spec.toml:12: found 3 (valid: an even number)");
    EXPECT_EQ(error.problem(), "found 3");
    EXPECT_EQ(error.where(), "spec.toml:12");
    EXPECT_EQ(error.valid(), "an even number");
}

TEST(ErrorTest, leavesOutThePartsThatAreNotKnown)
{
    EXPECT_STREQ(FileError("disk full").what(), "disk full");
    EXPECT_STREQ(FileError("disk full", "run.db").what(), "run.db: disk full");
    EXPECT_STREQ(TrialError("broken", "", "whole").what(), "broken (valid: whole)");
}

} // namespace
} // namespace headroom
