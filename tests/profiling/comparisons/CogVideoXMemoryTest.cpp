// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/FamilyMemory.h"

namespace headroom::collectors::cog_video_x_memory_test {
namespace {

/// Rotary positions, and positions that are added to the tokens.
const config::ValueMap kPositions[]{{}, {{"use_rotary_positional_embeddings", false}}};

// The size that the model is made for, and one for which added positions are made anew.
const config::ValueMap kExtents[]{{{"frames", 5}, {"height", 48}, {"width", 64}, {"text_tokens", 5}},
    {{"frames", 9}, {"height", 96}, {"width", 80}, {"text_tokens", 5}}};

config::ValueMap workloadOf(const char* step, const char* dtype, config::ValueMap extents)
{
    extents.insert({{"step", step}, {"dtype", dtype}});
    return extents;
}

TEST(CogVideoXMemoryTest, simulatedPeaksAreTheMeasuredOnes)
{
    for (const Notations& techniques : trainingCombinations())
        for (const char* dtype : {"float32", "bfloat16"})
            for (const config::ValueMap& positions : kPositions)
                expectSamePeaks("cogvideox-tiny", techniques, workloadOf("train", dtype, kExtents[1]), positions);
}

TEST(CogVideoXMemoryTest, simulatedPeaksOfInferenceAreTheMeasuredOnes)
{
    for (const Notations& techniques : {Notations{}, {{"casting", "e4m3"}}, {{"casting", "e5m2:group"}},
             {{"casting", "bf16:model"}}, {{"split_ffn", "4"}}, {{"offload", "leaf"}}, {{"attention", "math"}}})
        for (const config::ValueMap& extents : kExtents)
            for (const config::ValueMap& positions : kPositions)
                expectSamePeaks("cogvideox-tiny", techniques, workloadOf("inference", "float32", extents), positions);
}

TEST(CogVideoXMemoryTest, everyTechniqueByItselfIsSimulatedAsItIsMeasured)
{
    expectEveryTechniqueSimulated("cogvideox-tiny", 23);
}

TEST(CogVideoXMemoryTest, theFlopsOfAStepAreTheCataloguesClosedForm)
{
    for (const char* model : {"cogvideox-2b", "cogvideox-5b", "cogvideox-tiny"})
        expectCountedFlops(model);
}

TEST(CogVideoXMemoryTest, theFullModelsRunOnSimulatedDevices)
{
    expectToRunAtFullSize("cogvideox-2b", 2 * 1693783872L);
    expectToRunAtFullSize("cogvideox-5b", 2 * 5570283072);
}

// The buffer of added positions, in float64, is there before anything runs; no parameter is counted for it.
TEST(CogVideoXMemoryTest, addedPositionsAreHeldBesideTheWeights)
{
    const auto afterLoad = [](const char* model) {
        const protocol::RepeatResult result =
            measured(techniqueTrial("sim:h200", model, {}, {{"step", "inference"}, {"dtype", "bfloat16"}}));
        return result.memory.afterLoad.requested.value() - result.weightBytes.value();
    };
    EXPECT_EQ(afterLoad("cogvideox-2b"), 8 * 17776 * 1920);
    EXPECT_EQ(afterLoad("cogvideox-5b"), 0);
}

} // namespace
} // namespace headroom::collectors::cog_video_x_memory_test
