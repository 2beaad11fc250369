// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/TaskText.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SpecLoader.h"

#include <gmock/gmock.h>

namespace headroom::experiments::task_text_test {
namespace {

std::string textOf(const std::string& toml)
{
    const std::vector<PlannedTrial> trials = expand(loadSpecText(toml, "spec.toml", {}));
    return taskLine(trials, std::nullopt);
}

constexpr const char* kLtx = "model.name = \"ltx-video-13b\"\n[workload]\nstep = \"inference\"\ndtype = \"bfloat16\"\n";

TEST(TaskTextTest, saysWhatAllTrialsShareInTheWordsOfTheirFamily)
{
    EXPECT_EQ(textOf("techniques.casting = [\"off\", \"e4m3\"]\n" + std::string(kLtx)
                  + "frames = 121\nheight = 512\nwidth = 768\n"),
        "inference, bfloat16, batch 1, 121 frames of 512 x 768, 6,144 tokens");
    EXPECT_EQ(textOf("model.name = \"llama-3-8b\"\ntechniques.trainable = \"lora:16\"\ntechniques.optimizer.lr = 0.5\n"
                     "[workload]\nstep = \"train\"\nbatch = 2\nsequence_length = 2048\naccumulate = 4\n"),
        "train, float32, batch 2, sequences of 2048, 4,096 tokens, 4 micro-steps, loss cross_entropy, trainable "
        "lora:16, "
        "optimizer sgd (lr 0.5)");
    EXPECT_EQ(textOf("model.name = \"flux-dev\"\n[workload]\nautocast = \"bfloat16\""),
        "inference, float32 under bfloat16 autocast, batch 1, images of 1024 x 1024, 4,096 tokens");
}

TEST(TaskTextTest, saysIntoHowManyPiecesTheLossIsCut)
{
    const std::string llama = "model.name = \"llama-tiny\"\n[workload]\nstep = \"train\"\nsequence_length = 7\n"
                              "loss = \"cross_entropy\"\nchunks = ";
    EXPECT_EQ(textOf(llama + "5"),
        "train, float32, batch 2, sequences of 7, 14 tokens, loss cross_entropy in 4 chunks of up to 2 tokens, "
        "trainable all, "
        "optimizer sgd");
    EXPECT_EQ(textOf(llama + "1\nfused = true"),
        "train, float32, batch 2, sequences of 7, 14 tokens, fused loss cross_entropy, trainable all, optimizer "
        "sgd");
    for (const char* chunks : {"1", "1\noutput = \"held\""})
        EXPECT_EQ(textOf(llama + chunks),
            "train, float32, batch 2, sequences of 7, 14 tokens, loss cross_entropy, trainable all, optimizer sgd");
}

TEST(TaskTextTest, aLanguageModelIsTrainedWithCrossEntropyUnlessSomethingElseIsSaid)
{
    const std::string llama = "model.name = \"llama-tiny\"\n[workload]\nstep = \"forward_backward\"\n";
    EXPECT_THAT(textOf(llama), testing::EndsWith(", loss cross_entropy"));
    EXPECT_THAT(textOf(llama + "loss = \"mean\""), testing::EndsWith(", loss mean"));
    EXPECT_THAT(textOf("model.name = \"llama-tiny\""), testing::EndsWith(" tokens"));
}

TEST(TaskTextTest, whoTrainsIsToldWhatAndHow)
{
    EXPECT_EQ(textOf("model.name = \"ffn-stack\"\nworkload.step = \"train\""),
        "train, float32, batch 2, sequences of 8192, 16,384 tokens, loss mean, trainable all, optimizer sgd");
    EXPECT_EQ(textOf("model.name = \"ffn-stack\"\nworkload.step = \"train\"\ntechniques.optimizer = [\"sgd\", "
                     "\"adamw\"]"),
        "train, float32, batch 2, sequences of 8192, 16,384 tokens, loss mean, trainable all");
}

TEST(TaskTextTest, leavesToTheLabelsWhatDiffers)
{
    EXPECT_EQ(textOf(kLtx + std::string("frames = [81, 121]\nheight = 512\nwidth = 768\n")),
        "inference, bfloat16, batch 1, height 512, width 768");
    EXPECT_EQ(textOf("model.name = \"ffn-stack\"\n[workload]\nstep = [\"inference\", \"train\"]\n"
                     "dtype = [\"float32\", \"bfloat16\"]\nbatch = [1, 2]\nsequence_length = [4, 8]"),
        "");
}

TEST(TaskTextTest, modelsOfSeveralFamiliesShareNamesOfFields)
{
    EXPECT_EQ(textOf("model.name = [\"ltx-video-2b\", \"wan-2.1-14b\"]\n[workload]\nheight = 480\nwidth = 832\n"),
        "inference, float32, batch 1, frames 81, height 480, width 832");
    EXPECT_EQ(textOf("model.name = [\"llama-2-7b\", \"llama-2-13b\"]"),
        "inference, float32, batch 1, sequences of 4096, 4,096 tokens");
}

TEST(TaskTextTest, saysWhyItTrainsWhereSomeTrialDoes)
{
    const ImpliedStep implied{"techniques.trainable", "--trainable"};
    const auto trials = [](const char* step) {
        return expand(
            loadSpecText(std::string("model.name = \"ffn-stack-tiny\"\nworkload.step = ") + step, "spec.toml", {}));
    };
    EXPECT_THAT(taskLine(trials("\"train\""), implied),
        testing::EndsWith("optimizer sgd (train, because --trainable was given; --step inference asks for the other)"));
    EXPECT_THAT(taskLine(trials("\"inference\""), implied), testing::EndsWith("tokens"));
}

TEST(TaskTextTest, noTrialsDoNothing)
{
    EXPECT_EQ(taskText({}), "");
    EXPECT_EQ(taskLine(std::vector<PlannedTrial>(), std::nullopt), "");
}

TEST(TaskTextTest, theWordsOfEachFamilyNameItsShapes)
{
    for (const config::ModelFamily& family : config::modelFamilies())
        for (const config::ModelVariant& variant : family.variants) {
            const std::string text = textOf("model.name = \"" + variant.name + "\"");
            EXPECT_THAT(text, testing::Not(testing::AnyOf(testing::HasSubstr("{"), testing::HasSubstr("}")))) << text;
            EXPECT_THAT(text, testing::HasSubstr("batch ")) << variant.name;
            EXPECT_THAT(text, testing::HasSubstr(" of ")) << variant.name;
        }
}

} // namespace
} // namespace headroom::experiments::task_text_test
