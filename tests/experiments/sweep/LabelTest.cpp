// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::string& toml)
{
    std::vector<std::string> found;
    for (const PlannedTrial& planned : expand(loadSpecText(toml, "spec.toml", {})))
        found.push_back(planned.label);
    return found;
}

TEST(LabelTest, leavesOutWhatIsTheSameForAll)
{
    EXPECT_THAT(labels("model = { name = \"ffn-stack-tiny\", dim = 32 }\nworkload.batch = 9\n"
                       "techniques.split_ffn = [\"off\", \"2\"]"),
        ElementsAre("baseline", "split_ffn 2"));
}

TEST(LabelTest, showsTheRuntimeOnlyWhereItVaries)
{
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\ndevice.name = [\"sim:t4\", \"sim:t4@torch-2.5\"]"),
        ElementsAre("torch-2.11 | baseline", "torch-2.5 | baseline"));
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\ndevice.name = [\"sim:t4\", \"sim:h200\"]"),
        ElementsAre("sim:t4 | baseline", "sim:h200 | baseline"));
}

TEST(LabelTest, showsALimitAndItsAbsence)
{
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\n[[part]]\nworkload.batch = 2\n[[part]]\n"
                       "device.memory_limit_bytes = 4096"),
        ElementsAre("memory_limit_bytes default | baseline", "memory_limit_bytes 4096 | baseline"));
}

TEST(LabelTest, showsAllocatorSettingsAndTheirAbsence)
{
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\ndevice.name = \"sim:t4\"\n"
                       "device.allocator = [\"default\", \"expandable_segments:True\"]"),
        ElementsAre("allocator default | baseline", "allocator expandable_segments:True | baseline"));
}

TEST(LabelTest, defaultsInWhichModelsDifferDoNotVary)
{
    EXPECT_THAT(labels("model.name = [\"ffn-stack-tiny\", \"ffn-stack\"]"),
        ElementsAre("ffn-stack-tiny | baseline", "ffn-stack | baseline"));
}

TEST(LabelTest, leavesOutWhatFollowsFromWhatIsShown)
{
    EXPECT_THAT(
        labels("model.name = \"ffn-stack-tiny\"\n[[part]]\ndevice.name = \"cpu\"\nworkload.batch = 1\n[[part]]\n"
               "device.name = \"sim:t4\"\nworkload.batch = 2\n"),
        ElementsAre("cpu | baseline", "sim:t4 | baseline"));
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\n[[part]]\ndevice.name = \"cpu\"\nworkload.batch = [1, 2]\n"
                       "[[part]]\ndevice.name = \"sim:t4\"\nworkload.batch = 2\n"),
        ElementsAre("cpu | batch 1 | baseline", "cpu | batch 2 | baseline", "sim:t4 | batch 2 | baseline"));
}

TEST(LabelTest, whatIsTrainedIsShownOnlyWhereItVaries)
{
    const std::string lora = "model.name = \"ffn-stack-tiny\"\nworkload.step = \"train\"\n"
                             "techniques.trainable = \"lora:2\"\ntechniques.optimizer = \"adamw\"\n";
    EXPECT_THAT(labels(lora + "techniques.split_ffn = [\"off\", \"2\"]"), ElementsAre("baseline", "split_ffn 2"));
    EXPECT_THAT(labels(lora), ElementsAre("trainable lora:2 | optimizer adamw:loop")) << "of one trial all is said";
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\nworkload.step = \"train\"\n"
                       "techniques.optimizer = [\"sgd\", \"adamw\"]\ntechniques.trainable = \"lora:2\""),
        ElementsAre("baseline", "optimizer adamw:loop"));
}

TEST(LabelTest, showsProtocolValuesThatVary)
{
    EXPECT_THAT(labels("model.name = \"ffn-stack-tiny\"\nprotocol.steps = [2, 4]"),
        ElementsAre("steps 2 | baseline", "steps 4 | baseline"));
}

} // namespace
} // namespace headroom::experiments
