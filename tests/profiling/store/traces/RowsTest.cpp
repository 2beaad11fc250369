// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/Rows.h"

#include "core/base/Error.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

namespace headroom::store {
namespace {

TEST(RowsTest, outcomesAreTheWordsOfTheContract)
{
    for (const auto* word : {"completed", "out_of_memory", "failed", "timed_out", "cancelled", "skipped"})
        EXPECT_STREQ(toText(outcomeFromText(word)), word);
    for (const auto* word : {"planned", "running", "done"})
        EXPECT_EQ(toText(trialStatusFromText(word)), word);
    for (const auto* word : {"info", "warning", "error"})
        EXPECT_EQ(toText(severityFromText(word)), word);
}

TEST(RowsTest, anUnknownWordNamesTheValidOnes)
{
    EXPECT_EQ(refusal<FileError>([] { outcomeFromText("oom"); }),
        "unknown outcome 'oom' (valid: completed, out_of_memory, failed, timed_out, cancelled, skipped)");
}

TEST(RowsTest, outOfMemoryIsAFinalOutcomeAndACancelledRepeatIsNot)
{
    EXPECT_TRUE(isFinished(Outcome::OutOfMemory, Retry::Failures));
    EXPECT_TRUE(isFinished(Outcome::Failed, Retry::Cancelled));
    EXPECT_FALSE(isFinished(Outcome::Failed, Retry::Failures));
    EXPECT_FALSE(isFinished(Outcome::TimedOut, Retry::Failures));
    EXPECT_FALSE(isFinished(Outcome::Cancelled, Retry::Cancelled));
}

} // namespace
} // namespace headroom::store
