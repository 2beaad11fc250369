// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class ProgramValidateTest : public Program {
protected:
    void expectRefused(const std::string& arguments, const std::string& what, const std::string& valid)
    {
        const Ended ended = run("validate " + arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments << ": " << ended.err;
        EXPECT_THAT(ended.err, AllOf(StartsWith("headroom: error: "), HasSubstr(what), HasSubstr(valid)));
        EXPECT_THAT(ended.out, IsEmpty());
        EXPECT_EQ(requests(), 0U);
    }

    // A copy that a test may add to, without the validations that are shipped.
    void useCopiedResources()
    {
        std::filesystem::copy(shippedResources(), path("resources"), std::filesystem::copy_options::recursive);
        std::filesystem::remove_all(path("resources/validations"));
        setVariable("HEADROOM_RESOURCES", path("resources"));
    }

    const std::string m_four = "validate --device cpu --against sim:cpu --model ffn-stack-tiny --trials 4 ";
};

TEST_F(ProgramValidateTest, comparesEachDrawnTrialOnBothSides)
{
    const Ended ended = run(m_four + "--seed 3 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson document = ended.json();
    EXPECT_EQ(document.at("schema"), "headroom.validation/1");
    EXPECT_EQ(document.at("against"), "sim:cpu@torch-2.11");
    EXPECT_EQ(document.at("seed"), 3);
    EXPECT_TRUE(document.at("environment").at("host").is_null());
    EXPECT_TRUE(document.at("environment").at("kernel").is_null());
    ASSERT_THAT(document.at("rows"), SizeIs(4));
    const OrderedJson row = document.at("rows").at(0);
    EXPECT_EQ(row.at("allocated_rel"), 0.0);
    EXPECT_EQ(row.at("step_rel"), 0.0) << "the scripted worker says the same on both sides";
    EXPECT_EQ(row.at("measured").at("allocated_bytes"), 5000);
    EXPECT_EQ(document.at("quantiles").at("allocated_rel").at("count"), 4);
    EXPECT_EQ(document.at("quantiles").at("allocated_rel").at("abs_max"), 0.0);
    EXPECT_TRUE(document.at("quantiles").at("reserved_rel").is_null());
    EXPECT_TRUE(files().empty()) << "no workspace";
    EXPECT_THAT(ended.err, HasSubstr("4 of 4 trials compared: allocated memory 95 % within 0 %"));
}

TEST_F(ProgramValidateTest, theSameSeedDrawsTheSameTrials)
{
    const OrderedJson first = run(m_four + "--format json").json("rows");
    EXPECT_EQ(run(m_four + "--jobs 3 --format json").json("rows").at(0).at("config_id"), first.at(0).at("config_id"));
    EXPECT_NE(run(m_four + "--seed 2 --format json").json("rows").at(0).at("config_id"), first.at(0).at("config_id"));
    const OrderedJson listed = run(m_four + "--dry-run --format json").json("trials");
    EXPECT_EQ(listed.at(3).at("trial_id"), first.at(3).at("trial_id"));
}

TEST_F(ProgramValidateTest, sideBySideOnlyMemoryIsCompared)
{
    const Ended ended = run(m_four + "--jobs 2 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    for (const OrderedJson& row : ended.json("rows")) {
        EXPECT_EQ(row.at("allocated_rel"), 0.0);
        EXPECT_TRUE(row.at("measured").at("step_seconds").is_null());
        EXPECT_TRUE(row.at("step_rel").is_null());
    }
    EXPECT_TRUE(ended.json("quantiles").at("step_rank_correlation").is_null());
}

TEST_F(ProgramValidateTest, everyFormatShowsTheTrials)
{
    const std::vector<std::string> lines = linesOf(run(m_four + "--format jsonl").out);
    ASSERT_THAT(lines, SizeIs(5));
    EXPECT_EQ(OrderedJson::parse(lines[0]).at("model"), "ffn-stack-tiny");
    EXPECT_EQ(OrderedJson::parse(lines[4]).at("schema"), "headroom.validation/1");
    EXPECT_TRUE(OrderedJson::parse(lines[4]).at("rows").is_null());
    EXPECT_THAT(linesOf(run(m_four + "--format csv").out), SizeIs(5));
    const std::string markdown = run(m_four + "--format md").out;
    EXPECT_THAT(markdown,
        AllOf(HasSubstr("## Predictions for sim:cpu@torch-2.11 against measurements on cpu"),
            HasSubstr("| peak allocated |"), HasSubstr("## Trials"), HasSubstr("| 5,000 bytes |")));
    EXPECT_THAT(run(m_four).out, HasSubstr("Every peak of allocated memory is predicted to the byte."));
}

TEST_F(ProgramValidateTest, theFileHasTheFormatOfItsEnding)
{
    ASSERT_EQ(run(m_four + "--output v.json").exitCode, 0);
    EXPECT_THAT(OrderedJson::parse(contents("v.json")).at("rows"), SizeIs(4));
    ASSERT_EQ(run(m_four + "-o v.md").exitCode, 0);
    EXPECT_THAT(contents("v.md"), StartsWith("## Predictions"));
    EXPECT_THAT(run(m_four + "-o v.txt").err, AllOf(HasSubstr("v.txt"), HasSubstr("FILE.json")));
}

TEST_F(ProgramValidateTest, aFilterChoosesAmongWhatIsDrawn)
{
    const Ended ended = run({"validate", "--device", "cpu", "--against", "sim:cpu", "--trials", "3", "--filter",
        "workload.step=train workload.dtype=bfloat16", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    ASSERT_THAT(ended.json("rows"), SizeIs(3));
    for (const OrderedJson& row : ended.json("rows"))
        EXPECT_THAT(row.at("task").get<std::string>(), StartsWith("train, bfloat16"));
}

TEST_F(ProgramValidateTest, aTrialThatFailsIsARowAndTheExitCodeSaysSo)
{
    setVariable("HEADROOM_SCRIPT", "log");
    const Ended ended = run(m_four + "--format json");
    EXPECT_EQ(ended.exitCode, 3);
    ASSERT_THAT(ended.json("rows"), SizeIs(4));
    EXPECT_EQ(ended.json("rows").at(0).at("measured").at("outcome"), "failed");
    EXPECT_TRUE(ended.json("rows").at(0).at("allocated_rel").is_null());
    EXPECT_EQ(ended.json("quantiles").at("unanswered"), 4);
    EXPECT_THAT(ended.err, HasSubstr("not compared"));
}

TEST_F(ProgramValidateTest, runningOutOfMemoryIsAnAnswer)
{
    setVariable("HEADROOM_SCRIPT", "oom");
    const Ended ended = run(m_four + "--format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("rows").at(0).at("predicted").at("outcome"), "out_of_memory");
    EXPECT_TRUE(ended.json("quantiles").at("allocated_rel").is_null());
}

TEST_F(ProgramValidateTest, anInterruptionKeepsWhatWasCompared)
{
    setVariable("HEADROOM_SCRIPT", "slow");
    const Ended ended = run({"validate", "--device", "cpu", "--against", "sim:cpu", "--trials", "1000", "--format",
                                "json", "--output", "v.json"},
        [&](pid_t program) {
            waitForRequests(5);
            ::kill(program, SIGINT);
        });
    EXPECT_EQ(ended.exitCode, 130);
    EXPECT_EQ(ended.json("interrupted"), true);
    EXPECT_GE(ended.json("rows").size(), 2U);
    EXPECT_LT(ended.json("rows").size(), 1000U);
    EXPECT_EQ(OrderedJson::parse(contents("v.json")).at("rows"), ended.json("rows"));
}

TEST_F(ProgramValidateTest, badUsageSaysWhatWouldBeRight)
{
    expectRefused("--against sim:cpu", "--device", "required");
    expectRefused("--device sim:t4 --against sim:cpu", "--device", "cpu, cuda:N");
    expectRefused("--device cpu --against cpu", "--against", "sim:NAME");
    expectRefused("--device cpu --against sim:rtx4091", "--against", "rtx4090");
    expectRefused("--device cpu --against sim:rtx4090", "predicts a card", "sim:cpu");
    expectRefused("--device cuda:0 --against sim:cpu", "predicts a processor", "headroom devices");
    expectRefused("--device cpu --against sim:cpu --model lama-tiny", "--model", "llama-tiny");
    expectRefused("--device cpu --against sim:cpu --model llama-tiny --size tiny", "--size", "one of the two");
    expectRefused("--device cpu --against sim:cpu --jobs 2 --steps 3", "--steps", "--jobs 1");
    expectRefused("--device rehearsal:h100-80gb --against sim:h100-80gb --steps 3", "--steps", "memory is compared");
    expectRefused("--device cpu --against sim:cpu --trials 0", "--trials", "1");
    expectRefused("--device cpu --against sim:cpu --timeout 0", "--timeout", "greater than 0");
    expectRefused("--device cpu --against sim:cpu --filter model.nothing=1", "--filter", "model.nothing");
    expectRefused("--device cpu --against sim:cpu --format xml", "--format", "jsonl");
}

TEST_F(ProgramValidateTest, aFileThatCannotBeWrittenIsToldBeforeAnythingIsRun)
{
    const Ended ended = run(m_four + "--output missing/v.json");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_THAT(ended.err, HasSubstr("missing/v.json"));
    EXPECT_EQ(requests(), 0U);
}

// What is stored is what records name as the error of their predictions.
TEST_F(ProgramValidateTest, whatItWritesIsTheErrorOfLaterPredictions)
{
    ASSERT_EQ(run(m_four + "--output v.json").exitCode, 0);
    useCopiedResources();
    write("resources/validations/mine.json", contents("v.json"));
    const OrderedJson bound =
        run("run --model ffn-stack-tiny --device sim:cpu --format json").json("trials").at(0).at("error_bound");
    EXPECT_EQ(bound.at("allocated_rel"), 0.0);
    EXPECT_TRUE(bound.at("reserved_rel").is_null());
    EXPECT_THAT(bound.at("basis").get<std::string>(), HasSubstr("validations/mine.json"));
    EXPECT_THAT(run("run --model ffn-stack-tiny --device sim:cpu").out,
        HasSubstr("Known error of sim:cpu@torch-2.11: allocated memory exact"));
    EXPECT_TRUE(run("run --model ffn-stack-tiny --device sim:t4 --format json")
            .json("trials")
            .at(0)
            .at("error_bound")
            .is_null());
}

} // namespace
} // namespace headroom::cli
