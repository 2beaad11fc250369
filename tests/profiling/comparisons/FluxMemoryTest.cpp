// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/FamilyMemory.h"

namespace headroom::collectors {
namespace {

TEST(FluxMemoryTest, simulatedPeaksAreTheMeasuredOnes)
{
    for (const Notations& techniques : trainingCombinations())
        for (const char* dtype : {"float32", "bfloat16"})
            for (const config::ValueMap& fields :
                {config::ValueMap{}, {{"num_layers", 3}, {"num_single_layers", 4}, {"guidance_embeds", false}}})
                expectSamePeaks("flux-tiny", techniques,
                    {{"step", "train"}, {"dtype", dtype}, {"batch", 2}, {"height", 96}, {"width", 160},
                        {"text_tokens", 12}},
                    fields);
}

TEST(FluxMemoryTest, simulatedPeaksOfInferenceAreTheMeasuredOnes)
{
    for (const Notations& techniques : {Notations{}, {{"casting", "e4m3"}}, {{"casting", "e5m2:group"}},
             {{"split_ffn", "4"}}, {{"split_ffn", "tokens:4"}}, {{"offload", "leaf"}}, {{"attention", "math"}}})
        for (const char* dtype : {"float32", "bfloat16"})
            expectSamePeaks("flux-tiny", techniques,
                {{"step", "inference"}, {"dtype", dtype}, {"height", 128}, {"width", 160}, {"text_tokens", 12}}, {});
}

// There the streams are clipped after each block.
TEST(FluxMemoryTest, trainingInFloat16IsSimulatedAsItIsMeasured)
{
    for (const Notations& techniques : {Notations{}, {{"trainable", "lora:2"}, {"checkpointing", "all"}}})
        expectSamePeaks("flux-tiny", techniques, {{"step", "train"}, {"dtype", "float16"}}, {});
}

TEST(FluxMemoryTest, everyTechniqueByItselfIsSimulatedAsItIsMeasured)
{
    expectEveryTechniqueSimulated("flux-tiny", 19);
}

TEST(FluxMemoryTest, theFlopsOfAStepAreTheCataloguesClosedForm)
{
    for (const char* model : {"flux-dev", "flux-schnell", "flux-tiny"})
        expectCountedFlops(model);
    expectCountedFlops("flux-tiny", {{"num_single_layers", 0}});
    expectCountedFlops("flux-tiny", {{"num_layers", 0}, {"guidance_embeds", false}, {"out_channels", 7}});
}

TEST(FluxMemoryTest, theFullModelsRunOnSimulatedDevices)
{
    expectToRunAtFullSize("flux-dev", 2 * 11901408320);
    expectToRunAtFullSize("flux-schnell", 2 * 11891178560);
}

// 24 GiB hold the model in eight bits with adapters and every block checkpointed, and nothing less.
TEST(FluxMemoryTest, adaptersOnACastBaseFitWhereThePlainModelDoesNot)
{
    const config::ValueMap workload{{"step", "train"}, {"dtype", "bfloat16"}};
    const auto outcome = [&](const Notations& techniques) {
        return measured(techniqueTrial("sim:rtx4090", "flux-dev", techniques, workload)).outcome;
    };
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"checkpointing", "all"}, {"casting", "e4m3"}}), Outcome::Completed);
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"checkpointing", "all"}}), Outcome::OutOfMemory);
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"casting", "e4m3"}}), Outcome::OutOfMemory);
}

} // namespace
} // namespace headroom::collectors
