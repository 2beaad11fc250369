// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli::program_effects_test {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// With the scripted worker, every trial has the same memory and speed.
class ProgramEffectsTest : public Program {
protected:
    void runGrid(const std::string& more = "")
    {
        const Ended ended = run("run --model ffn-stack-tiny --step train --checkpointing none,all --split-ffn off,2 "
                                "--device sim:t4 --format json "
            + more);
        ASSERT_EQ(ended.exitCode, 0) << ended.err;
    }
};

TEST_F(ProgramEffectsTest, everyFormatHasThem)
{
    runGrid();
    const std::string table = run("effects").out;
    EXPECT_THAT(table,
        AllOf(HasSubstr("split_ffn 2"), HasSubstr("peak, alone"), HasSubstr("interaction"),
            HasSubstr("predicted, not measured"), HasSubstr("add up")));
    EXPECT_THAT(run("effects --format md").out, HasSubstr("| split_ffn 2 | checkpointing all |"));
    const std::vector<std::string> csv = linesOf(run("effects --format csv").out);
    ASSERT_EQ(csv.size(), 4U); // two effects, one interaction
    EXPECT_THAT(csv.front(), StartsWith("kind,group,technique,notation"));
    const std::vector<std::string> lines = linesOf(run("effects --format jsonl").out);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(OrderedJson::parse(lines.back()).at("kind"), "interaction");
    EXPECT_EQ(run("effects --format json").json("groups").at(0).at("combinations"), 4);
}

TEST_F(ProgramEffectsTest, thePictureIsAFile)
{
    runGrid();
    const Ended ended = run("effects -o effects.svg");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(contents("effects.svg"), AllOf(StartsWith("<svg"), HasSubstr("split_ffn 2 × checkpointing all")));
    EXPECT_THAT(ended.err, HasSubstr("effects.svg"));
    EXPECT_EQ(run("effects -o effects.png").exitCode, 2);
    EXPECT_EQ(run("effects -o headroom.db.svg --workspace none.db").exitCode, 5);
}

TEST_F(ProgramEffectsTest, aGridThatLacksSomethingSaysWhat)
{
    runGrid("--filter checkpointing=none");
    EXPECT_EQ(run("effects").exitCode, 0); // of one technique
    write("grid.toml",
        "model.name = \"ffn-stack-tiny\"\nworkload.step = \"train\"\ndevice.name = \"sim:t4\"\n"
        "[techniques]\ncheckpointing = [\"none\", \"all\"]\nsplit_ffn = [\"off\", \"2\"]\n"
        "[[exclude]]\ncheckpointing = \"all\"\nsplit_ffn = \"2\"\nreason = \"not of interest\"\n");
    EXPECT_EQ(run("run ./grid.toml --format json").exitCode, 0);
    const OrderedJson document = run("effects --format json").json();
    EXPECT_THAT(document.at("groups").at(0).at("missing").at(0).get<std::string>(),
        HasSubstr("split_ffn 2, checkpointing all (skipped: not of interest)"));
    EXPECT_TRUE(document.at("interactions").at(0).at("peak_bytes").is_null());
    EXPECT_TRUE(document.at("interactions").at(0).at("text").is_null());
    EXPECT_EQ(document.at("main").at(0).at("peak_support").at("used"), 1);
    EXPECT_THAT(run("effects").out, HasSubstr("1 of 4 combinations has no allocated peak"));
}

TEST_F(ProgramEffectsTest, badUsageNamesWhatIsValid)
{
    EXPECT_EQ(run("effects").exitCode, 5); // no workspace
    EXPECT_EQ(run("run --model ffn-stack-tiny --device sim:t4,sim:l4 --format json").exitCode, 0);
    const Ended ended = run("effects");
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(
        ended.err, AllOf(HasSubstr("no two trials of adhoc differ in techniques alone"), HasSubstr("--casting")));
    EXPECT_THAT(ended.out, IsEmpty());
    runGrid();
    EXPECT_THAT(run("effects --peak most").err, HasSubstr("valid: allocated, reserved, needed"));
    EXPECT_THAT(run("effects --experiment none").err, HasSubstr("adhoc"));
    EXPECT_EQ(run("effects --peak reserved --format json").json("metric").at("peak"), "reserved");
}

TEST_F(ProgramEffectsTest, reportsOfAGridHaveTheSection)
{
    runGrid();
    EXPECT_EQ(run("report -o grid.html").exitCode, 0);
    EXPECT_THAT(contents("grid.html"), HasSubstr("What each technique changes, alone and together"));
    EXPECT_EQ(run("report -o grid.md").exitCode, 0);
    EXPECT_THAT(contents("grid.md"), HasSubstr("## What each technique changes, alone and together"));
    EXPECT_EQ(run("run --model ffn-stack-tiny --split-ffn off,2 --device sim:t4 --format json").exitCode, 0);
    EXPECT_EQ(run("report -o line.html").exitCode, 0);
    EXPECT_THAT(contents("line.html"), Not(HasSubstr("alone and together")));
}

} // namespace
} // namespace headroom::cli::program_effects_test
