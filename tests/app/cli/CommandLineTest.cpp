// SPDX-License-Identifier: Apache-2.0
#include "app/cli/CommandLine.h"

#include <gtest/gtest.h>

namespace headroom::cli {
namespace {

TEST(CommandLineTest, anErrorIsOneLineWhateverItHolds)
{
    EXPECT_EQ(errorLine("a\nb\r\n c\n"), "headroom: error: a b   c");
    EXPECT_EQ(errorLine("\x1b]0;x\x07 \u009b \u202e \xff"), "headroom: error: \\x1B]0;x\\x07 \\u{9B} \\u{202E} \\xFF");
}

TEST(CommandLineTest, aLibrarysNamesForErrorsAreNotShown)
{
    EXPECT_EQ(errorLine("w.db: result: [json.exception.parse_error.101] parse error at line 1"),
        "headroom: error: w.db: result: parse error at line 1");
    EXPECT_EQ(errorLine("[json.exception.x"), "headroom: error: [json.exception.x");
}

} // namespace
} // namespace headroom::cli
