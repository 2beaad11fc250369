// SPDX-License-Identifier: Apache-2.0
//
// The program runs what was asked for, and every output states it.
#include "core/config/catalogue/Catalogue.h"
#include "tests/app/cli/program/Program.h"
#include "tests/app/cli/run/JUnitFile.h"

#include <gmock/gmock.h>

namespace headroom::cli::program_task_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kLora = "run --model ffn-stack-tiny --trainable lora:2 --split-ffn off,2 --device cpu ";
constexpr const char* kLoraTask = "train, float32, batch 2, sequences of 8, 16 tokens, loss mean, trainable lora:2, "
                                  "optimizer sgd (train, because --trainable "
                                  "was given; --step inference asks for the other)";

class ProgramTaskTest : public Program {
protected:
    OrderedJson workloadOf(const std::string& arguments)
    {
        const Ended ended = run(arguments + " --format json");
        EXPECT_EQ(ended.exitCode, 0) << arguments << ended.err;
        return ended.exitCode == 0 ? ended.json("trials").at(0).at("workload") : OrderedJson();
    }

    std::vector<std::string> idsOf(const std::string& arguments)
    {
        const Ended ended = run(arguments + " --dry-run --format json");
        EXPECT_EQ(ended.exitCode, 0) << arguments << ended.err;
        std::vector<std::string> ids;
        for (const OrderedJson& trial : ended.json("trials"))
            ids.push_back(trial.at("trial_id"));
        return ids;
    }

    void expectRefused(const std::string& arguments, const std::string& message)
    {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments;
        EXPECT_THAT(ended.err, HasSubstr(message)) << arguments;
        EXPECT_THAT(ended.out, IsEmpty()) << arguments;
    }
};

TEST_F(ProgramTaskTest, whatAsksForTrainingIsTrained)
{
    const std::string tiny = "run --model ltx-video-tiny --device cpu ";
    for (const char* asks : {"--trainable lora:2", "--optimizer adamw", "--ema device", "--checkpointing none,all",
             "--set workload.gradients=keep", "--set checkpointing=all"}) {
        const OrderedJson workload = workloadOf(tiny + asks);
        EXPECT_EQ(workload.value("step", ""), "train") << asks;
        EXPECT_EQ(workload.value("dtype", ""), "bfloat16") << asks;
    }
    for (const char* doesNot : {"--checkpointing none", "--trainable none", "--casting e4m3", "--split-ffn 2"})
        EXPECT_EQ(workloadOf(tiny + doesNot).value("step", ""), "inference") << doesNot;
    EXPECT_EQ(workloadOf(tiny + "--checkpointing all --step inference").value("step", ""), "inference");
}

TEST_F(ProgramTaskTest, aSpecIsReadByTheSameRule)
{
    write("spec.toml", "model.name = \"ltx-video-tiny\"\ndevice.name = \"cpu\"\ntechniques.checkpointing = \"all\"\n");
    EXPECT_EQ(workloadOf("run ./spec.toml").value("dtype", ""), "bfloat16");
    EXPECT_EQ(idsOf("run ./spec.toml"), idsOf("run --model ltx-video-tiny --checkpointing all --device cpu"));
    EXPECT_THAT(run("run ./spec.toml").out,
        HasSubstr("(train, because checkpointing was given; step = \"inference\" asks for the other)"));
}

TEST_F(ProgramTaskTest, theFlagsAreShortForTheWorkload)
{
    const std::string ltx = "run --model ltx-video-2b --device sim:t4 ";
    EXPECT_EQ(idsOf(ltx
                  + "--step forward_backward --dtype float16 --batch 2 --frames 49,81 --height 256 --width 512 "
                    "--text-tokens 64"),
        idsOf(ltx
            + "--set workload.step=forward_backward --set workload.dtype=float16 --set workload.batch=2 --set "
              "workload.frames=49,81 --set workload.height=256 --set workload.width=512 --set "
              "workload.text_tokens=64"));
    EXPECT_EQ(idsOf("run --model llama-tiny --device cpu --sequence-length 4,8 --batch 1 --batch 2").size(), 4u);
    EXPECT_EQ(idsOf("run --model llama-tiny --device cpu --batch 2 --set workload.batch=2").size(), 1u)
        << "the same twice is no contradiction";
    EXPECT_EQ(workloadOf("run ffn-split --filter model.activation_fn=gelu --device cpu --sequence-length 16")
                  .at("sequence_length"),
        16)
        << "a flag wins over a preset";
}

TEST_F(ProgramTaskTest, aFlagThatCannotBeMeantIsRefused)
{
    expectRefused("run --model llama-tiny --batch 2 --set workload.batch=4",
        "--batch: found 2, and 4 after --set workload.batch (valid: one of the two)");
    expectRefused("run --model llama-tiny --set workload.step=train --step inference", "--step: found \"inference\"");
    expectRefused("run --model llama-tiny --frames 81", "--frames: unknown key \"frames\" of llama-tiny");
    expectRefused("run --model llama-tiny --step training",
        "--step: found \"training\", did you mean \"train\"? (valid: inference, forward_backward, train)");
    expectRefused("run --model llama-tiny --batch 0", "--batch: found 0");
}

TEST_F(ProgramTaskTest, helpListsThem)
{
    const std::string help = run("run --help").out;
    for (const char* flag : {"--step STEP", "--dtype DTYPE", "--batch N", "--frames N", "--height N", "--width N",
             "--text-tokens N", "--sequence-length N"})
        EXPECT_THAT(help, HasSubstr(flag));
    for (const config::ModelFamily& family : config::modelFamilies())
        for (const config::Field& shape : family.shapes.all()) {
            std::string flag = shape.name;
            std::ranges::replace(flag, '_', '-');
            const std::string value = shape.type == config::FieldType::Boolean ? " true|false" : " N";
            EXPECT_THAT(help, HasSubstr("--" + flag + value)) << family.name;
        }
}

TEST_F(ProgramTaskTest, oneLineAboveTheTableSaysWhatWasRun)
{
    for (const char* format : {"table", "md"}) {
        const std::string out = run(kLora + std::string("--format ") + format).out;
        EXPECT_LT(out.find(kLoraTask), out.find("split_ffn 2")) << out;
        const std::string dry = run(kLora + std::string("--dry-run --format ") + format).out;
        EXPECT_LT(dry.find(kLoraTask), dry.find("split_ffn 2")) << dry;
    }
    EXPECT_THAT(run("run --model ffn-stack-tiny --device cpu").out,
        HasSubstr("\ninference, float32, batch 2, sequences of 8, 16 tokens\n"));
    for (const char* format : {"csv", "json", "jsonl"})
        EXPECT_THAT(run(kLora + std::string("--format ") + format).out, Not(HasSubstr("because")));
}

TEST_F(ProgramTaskTest, everyFileOfARunSaysIt)
{
    ASSERT_EQ(run(kLora + std::string("--junit junit.xml --summary summary.md --workspace w.db")).exitCode, 0);
    EXPECT_EQ(readJUnit(path("junit.xml")).at("properties").at("task"), kLoraTask);
    EXPECT_THAT(contents("summary.md"), HasSubstr(std::string("\n`") + kLoraTask + "`\n"));
    const std::string fromWorkspace =
        "train, float32, batch 2, sequences of 8, 16 tokens, loss mean, trainable lora:2, optimizer "
        "sgd (train, because trainable was given; step = ";
    for (const char* file : {"report.md", "report.html"}) {
        ASSERT_EQ(run({"report", "w.db", "-o", file}).exitCode, 0);
        EXPECT_THAT(contents(file), HasSubstr(fromWorkspace)) << file;
    }
}

TEST_F(ProgramTaskTest, labelsSayWhatDiffers)
{
    const Ended ended = run("run --model ffn-stack-tiny --step inference,train --dtype float32,bfloat16 --device cpu "
                            "--dry-run --format json");
    std::vector<std::string> labels;
    for (const OrderedJson& trial : ended.json("trials"))
        labels.push_back(trial.at("label"));
    EXPECT_THAT(labels,
        testing::ElementsAre("dtype float32 | step inference | baseline", "dtype bfloat16 | step inference | baseline",
            "dtype float32 | step train | baseline", "dtype bfloat16 | step train | baseline"));
}

} // namespace
} // namespace headroom::cli::program_task_test
