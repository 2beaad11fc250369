// SPDX-License-Identifier: Apache-2.0
//
// Hostile specs, budgets, names and values.
#include "core/base/ShownText.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

namespace headroom::cli::input_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kTiny = "[model]\nname = \"ffn-stack-tiny\"\n";

std::string deepKey()
{
    std::string key = "x";
    for (int i = 0; i < 50'000; ++i)
        key += ".a";
    return key;
}

class ProgramInputTest : public Program {
protected:
    std::string refusal(const std::vector<std::string>& arguments, int exitCode)
    {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << arguments.back() << "\n" << ended.err;
        EXPECT_THAT(ended.err, StartsWith("headroom: error: "));
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
        EXPECT_EQ(requests(), 0u);
        return ended.err;
    }

    // Expects that the text contains no terminal control sequences.
    static void expectPlain(const std::string& text, const std::string& what)
    {
        EXPECT_EQ(config::shownText(text), text) << what;
    }
};

TEST_F(ProgramInputTest, listsWithoutAValueAreBadUsageOfEveryKey)
{
    for (const std::string key : {"model.weights", "model.config", "model.dim", "workload.batch", "device.name"}) {
        const std::vector<std::string> arguments{
            "run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--set", key + "=[]"};
        EXPECT_THAT(refusal(arguments, 2), HasSubstr("--set " + key + ": found [] (valid: at least one value)"));
    }
    write("w.toml", kTiny + "weights = []\n");
    EXPECT_THAT(refusal({"run", "./w.toml", "--dry-run"}, 2), HasSubstr("./w.toml:3:1: model.weights: found []"));
    write("c.toml", "[model]\nconfig = []\n");
    EXPECT_THAT(refusal({"run", "./c.toml", "--dry-run"}, 2), HasSubstr("./c.toml:2:1: model.config: found []"));
}

TEST_F(ProgramInputTest, keysWithoutEndAreBadUsage)
{
    write("deep.toml", kTiny + deepKey() + " = 1\n");
    write("spec.toml", kTiny);
    EXPECT_THAT(refusal({"run", "./deep.toml"}, 2), HasSubstr("./deep.toml:3:1: a key of more than 32 parts"));
    EXPECT_THAT(refusal({"run", "./spec.toml", "--budgets", "deep.toml"}, 2),
        HasSubstr("deep.toml:3:1: a key of more than 32 parts"));
    refusal({"run", "./spec.toml", "--set", deepKey() + "=1"}, 2);
    refusal({"run", "./spec.toml", "--set", "model.dim={" + deepKey() + "=1}"}, 2);
    refusal({"run", "./spec.toml", "--set", "model.dim=[{" + deepKey() + "=1}]"}, 2);
    refusal({"run", "./spec.toml", "--filter", deepKey() + "=1"}, 2);
}

TEST_F(ProgramInputTest, aSpecMayComeThroughAPipeThatEnds)
{
    ASSERT_EQ(::mkfifo(path("spec.toml").c_str(), 0600), 0);
    const auto readWith = [&](const std::string& text) {
        std::jthread writer([&] { std::ofstream(path("spec.toml")) << text; });
        return run("run ./spec.toml --device cpu --dry-run --format json");
    };
    EXPECT_EQ(readWith("name = \"piped\"\n" + kTiny).json().at("experiment"), "piped");
    EXPECT_THAT(refusal({"run", "./spec.toml"}, 5), HasSubstr("spec cannot be read: nobody writes to this pipe"));
    EXPECT_THAT(refusal({"run", "demo", "--budgets", "spec.toml"}, 5),
        HasSubstr("budgets cannot be read: nobody writes to this pipe"));
    EXPECT_THAT(refusal({"run", "--model", "./spec.toml"}, 5), HasSubstr("is no regular file"));
}

TEST_F(ProgramInputTest, devicesAreNoSpecs)
{
    EXPECT_THAT(refusal({"run", "/dev/zero"}, 5), HasSubstr("/dev/zero: spec cannot be read: it is no regular file"));
    EXPECT_THAT(refusal({"run", "demo", "--budgets", "/dev/zero"}, 5), HasSubstr("budgets cannot be read"));
    EXPECT_THAT(refusal({"run", "--model", "/dev/zero"}, 5), HasSubstr("/dev/zero is no regular file"));
    EXPECT_THAT(refusal({"run", "--model", "ffn-stack-tiny", "--set", "model.weights=/dev/zero"}, 5),
        HasSubstr("/dev/zero is no regular file"));
}

TEST_F(ProgramInputTest, namesOfExperimentsAreLinesOfText)
{
    for (const char* name : {"\\u001b[31m", "a\\nb", "\\u0007", "\\u009b", "\\u202ex", "\\u007f"}) {
        write("spec.toml", "name = \"" + std::string(name) + "\"\n" + kTiny);
        const std::string error = refusal({"run", "./spec.toml", "--dry-run"}, 2);
        EXPECT_THAT(error, HasSubstr("./spec.toml:1:8: name: found"));
        expectPlain(error, name);
    }
}

TEST_F(ProgramInputTest, controlCharactersReachNeitherTerminalNorFiles)
{
    write("spec.toml",
        "title = \"\\u001b]0;owned\\u0007\"\n" + kTiny
            + "[techniques]\nsplit_ffn = [\"off\", \"2\"]\n[[exclude]]\nsplit_ffn = \"2\"\n"
              "reason = \"\\u001b[2J\\u009b31m\\u202e\\u007f=1+1\"\n");
    write("budgets.toml", "[[budget]]\nname = \"\\u001b[31mb\"\nmin_steps_per_second = 100\n");
    for (const char* format : {"table", "md", "csv"}) {
        const Ended ended = run(std::string("run ./spec.toml --device cpu --budgets budgets.toml --format ") + format);
        EXPECT_EQ(ended.exitCode, 1) << ended.err;
        expectPlain(ended.out, format);
        expectPlain(ended.err, format);
        EXPECT_THAT(ended.out, HasSubstr("x1B[2J")) << format;
        EXPECT_THAT(ended.out, HasSubstr("u{9B}31m")) << format;
        expectPlain(run(std::string("run ./spec.toml --dry-run --format ") + format).out, format);
    }
    for (const char* file : {"r.md", "r.csv"}) {
        ASSERT_EQ(run(std::string("report -o ") + file).exitCode, 0);
        expectPlain(contents(file).substr(0, contents(file).find("\r\n")), file);
        for (const char* control : {"\x1b", "\x07", "\x7f", "\u009b", "\u202e"})
            EXPECT_THAT(contents(file), Not(HasSubstr(control))) << file;
    }
}

TEST_F(ProgramInputTest, messagesSpellThemOut)
{
    expectPlain(refusal({"run", "./a\x1b[31m\nb\u202e.toml"}, 5), "path of a spec");
    expectPlain(refusal({"run", "--model", "\x1b]0;x\x07"}, 2), "model");
    expectPlain(refusal({"run", "demo", "--set", "workload.\x1b[31m=1"}, 2), "path of a setting");
    expectPlain(refusal({"run", "demo", "--\x1b[31m"}, 2), "flag");
    expectPlain(refusal({"\x1b[31m"}, 2), "command");
    expectPlain(refusal({"report", "\x1b[31m.db", "-o", "r.md"}, 5), "workspace");
    write("config.json", R"({"_class_name": "\u001b[31mX"})");
    expectPlain(refusal({"run", "--model", "./config.json"}, 2), "class of a configuration file");
}

TEST_F(ProgramInputTest, aLineFeedInAPathKeepsALineALine)
{
    ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu").exitCode, 0);
    const Ended ended = run(std::vector<std::string>{"report", "-o", "a\nb\x1b.md"});
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("written to a b\\x1B.md"));
}

TEST_F(ProgramInputTest, textIsNoFormulaOfASpreadsheet)
{
    write("spec.toml",
        "name = \"=HYPERLINK(1)\"\n" + kTiny
            + "[techniques]\nsplit_ffn = [\"off\", \"2\"]\n[[exclude]]\nsplit_ffn = \"2\"\nreason = \"+1+cmd\"\n");
    const Ended ended = run("run ./spec.toml --device cpu --format csv");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(",'=HYPERLINK(1),"));
    EXPECT_THAT(ended.out, HasSubstr(",'+1+cmd,"));
    ASSERT_EQ(run("report -o r.csv").exitCode, 0);
    EXPECT_THAT(contents("r.csv"), HasSubstr("\r\n'=HYPERLINK(1),"));
    EXPECT_THAT(contents("r.csv"), HasSubstr(",'+1+cmd,"));
}

TEST_F(ProgramInputTest, whatWasProbablyMeantIsSaid)
{
    const auto problemOf = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"run", "--model", "ltx-video-2b", "--dry-run"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return refusal(arguments, 2);
    };
    EXPECT_THAT(problemOf({"--device", "rtx4090"}),
        HasSubstr("--device: device \"rtx4090\" is not known, did you mean \"sim:rtx4090\"? (valid: cpu, cuda:N, "));
    EXPECT_THAT(problemOf({"--device", "cpu,H100@torch-2.5"}), HasSubstr("did you mean \"sim:h100-80gb@torch-2.5\"?"));
    EXPECT_THAT(problemOf({"--device", "cuda0"}), HasSubstr("did you mean \"cuda:0\"?"));
    EXPECT_THAT(problemOf({"--device", "gpu"}), Not(HasSubstr("did you mean")));
    EXPECT_THAT(problemOf({"--device", "sim:a100"}), HasSubstr("did you mean \"sim:a100-40gb\"?"));
    EXPECT_THAT(
        problemOf({"--checkpointing", "full"}), HasSubstr("--checkpointing: found \"full\", did you mean \"all\"?"));
    EXPECT_THAT(
        problemOf({"--trainable", "lora"}), HasSubstr("--trainable: found \"lora\", did you mean \"lora:16\"?"));
    EXPECT_THAT(problemOf({"--set", "workload.dtype=bf16"}), HasSubstr("found \"bf16\", did you mean \"bfloat16\"?"));
    EXPECT_THAT(problemOf({"--set", "frames=121"}),
        HasSubstr("--set frames: unknown path \"frames\", did you mean \"workload.frames\"?"));
    EXPECT_THAT(problemOf({"--set", "model.rope_scaling.rope_type=x"}), Not(HasSubstr("did you mean")));
}

} // namespace
} // namespace headroom::cli::input_test
