// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShellWords.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace headroom::experiments {
namespace {

using Words = std::vector<std::string>;

const Words kAwkward{"headroom", "run", "--filter", "split_ffn=4 device.name!=cpu", "--set", "model.axes=[2,2]", "it's",
    "", "$HOME", "a\\b", "\"x\"", "*"};

TEST(ShellWordsTest, plainWordsStayAsTheyAre)
{
    EXPECT_EQ(shellCommand({"headroom", "run", "./x.toml", "--device", "sim:t4@torch-2.5,cpu"}),
        "headroom run ./x.toml --device sim:t4@torch-2.5,cpu");
}

TEST(ShellWordsTest, aShellTakesThemApartAgain)
{
    const std::string command = "printf '%s\\n' " + shellCommand(kAwkward);
    FILE* pipe = ::popen(command.c_str(), "r");
    std::string printed;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;)
        printed += static_cast<char>(c);
    ASSERT_EQ(::pclose(pipe), 0);
    std::string expected;
    for (const std::string& word : kAwkward)
        expected += word + "\n";
    EXPECT_EQ(printed, expected);
}

TEST(ShellWordsTest, readBackAsTheyWere)
{
    EXPECT_EQ(shellWords(shellCommand(kAwkward)), kAwkward);
}

} // namespace
} // namespace headroom::experiments
