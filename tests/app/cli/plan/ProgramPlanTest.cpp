// SPDX-License-Identifier: Apache-2.0
//
// What `headroom plan` refuses before anything is simulated, and what it does about a worker that fails.
#include "tests/app/cli/program/Program.h"

#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ProgramPlanTest : public Program {
protected:
    void expectPlanRefused(const std::string& arguments, const std::string& what, const std::string& valid)
    {
        const Ended ended = run("plan --model ffn-stack-tiny --step train --device sim:t4 " + arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments << ended.out;
        EXPECT_EQ(linesOf(ended.err).size(), 1U) << ended.err;
        EXPECT_THAT(ended.err, AllOf(StartsWith("headroom: error: "), HasSubstr(what), HasSubstr(valid)));
        EXPECT_THAT(ended.out, IsEmpty());
        EXPECT_EQ(requests(), 0U);
    }
};

TEST_F(ProgramPlanTest, refusesWhatCannotBe)
{
    expectPlanRefused("--keep chekpointing=all", "chekpointing", "checkpointing");
    expectPlanRefused("--keep checkpointing=al", "al", "every:N");
    expectPlanRefused("--keep castin", "unknown technique \"castin\", did you mean \"casting\"?", "offload");
    expectPlanRefused("--forbid offlod", "unknown technique \"offlod\", did you mean \"offload\"?", "casting");
    expectPlanRefused("--forbid optimizer", "decides what is trained", "--optimizer sets it");
    expectPlanRefused("--keep casting --forbid casting", "in --keep and in --forbid", "one of the two");
    expectPlanRefused("--checkpointing none --keep checkpointing=all", "--checkpointing none", "one setting");
    expectPlanRefused("--keep checkpointing=all,every:2", "two settings of checkpointing", "one setting");
    expectPlanRefused("--allow optimizer", "without what it may become", "optimizer.state_dtype=bfloat16");
    expectPlanRefused("--allow optimizer=adam", "adam", "adamw");
    expectPlanRefused("--for megatron", "megatron", "torchtitan");
    expectPlanRefused("--memory 24Gib", "did you mean \"24GiB\"?", "2GiB");
    expectPlanRefused("--memory 24GB", "did you mean \"24GiB\"?", "2GiB");
    expectPlanRefused("--memory 1.5g", "did you mean \"1.5GiB\"?", "2GiB");
    expectPlanRefused("--memory 100MiB", "the driver alone takes", "more than that");
    expectPlanRefused("--max-slowdown 5", "found \"5\"", "as in 5%");
    expectPlanRefused("--max-slowdown -5%", "found \"-5%\"", "0%");
    expectPlanRefused("--seconds 0", "found 0", "greater than 0");
    expectPlanRefused("--simulations 0", "found 0", "at least 1");
    expectPlanRefused("--verify sim:t4", "a prediction is verified by a measurement", "cpu, cuda:N");
    expectPlanRefused("--split-ffn off,2", "found 2 trials", "one value each of split_ffn");
}

TEST_F(ProgramPlanTest, needsACardOfASimulatedDevice)
{
    const Ended ended = run("plan --model ffn-stack-tiny");
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("--device: no device is given"), HasSubstr("sim:t4")));
    EXPECT_THAT(
        run("plan --model ffn-stack-tiny --device cpu").err, AllOf(HasSubstr("found cpu"), HasSubstr("sim:t4")));
}

TEST_F(ProgramPlanTest, aWorkerThatFailsIsNoAnswer)
{
    setVariable("HEADROOM_SCRIPT", "oom"); // without a limit, too
    const Ended ended = run("plan --model ffn-stack-tiny --step train --device sim:t4 --format json");
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    EXPECT_EQ(ended.json("end"), "failed");
    EXPECT_FALSE(ended.json("failures").empty());
}

TEST_F(ProgramPlanTest, aMissingWorkerIsAFileError)
{
    setVariable("HEADROOM_WORKER", "/nowhere/headroom-worker");
    EXPECT_EQ(run("plan --model ffn-stack-tiny --device sim:t4").exitCode, 5);
}

} // namespace
} // namespace headroom::cli
