// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/AttentionRules.h"

#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <array>
#include <filesystem>

namespace headroom::simulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// LTX-Video 2B at the published shapes.
constexpr AttentionShape kSelf{1, 32, 4224, 4224, 64, 64};
constexpr AttentionShape kCross{1, 32, 4224, 128, 64, 64};
constexpr Bytes kFloatTensor = Bytes{4224} * 2048 * 4;

const RuntimeProfile& runtime(const std::string& name)
{
    static const ProfileCatalogue catalogue(shippedResources());
    return catalogue.runtime(name);
}

AttentionBackend chosen(const AttentionCall& call, ComputeCapability capability, const std::string& name = "torch-2.11")
{
    return chooseAttention(call, kAllAttention, runtime(name), capability);
}

TEST(AttentionRulesTest, sixteenBitTypesWithoutAMaskFlashOnAmpere)
{
    AttentionCall call{kSelf, MathType::Bfloat16, AttentionMask::None, Gradients::Needed};
    EXPECT_EQ(chosen(call, {8, 0}), AttentionBackend::Flash);
    EXPECT_EQ(chosen(call, {8, 0}, "torch-2.5"), AttentionBackend::Flash);
    call.mask = AttentionMask::Additive;
    EXPECT_EQ(chosen(call, {8, 0}), AttentionBackend::Efficient);
    call = {kSelf, MathType::Float32, AttentionMask::None, Gradients::Needed};
    EXPECT_EQ(chosen(call, {8, 0}), AttentionBackend::Efficient);
    call.type = MathType::Float64;
    EXPECT_EQ(chosen(call, {8, 0}), AttentionBackend::Math);
}

TEST(AttentionRulesTest, hopperTakesCudnnFirstInNewerRuntimes)
{
    const AttentionCall call{kCross, MathType::Bfloat16, AttentionMask::Additive, Gradients::Needed};
    EXPECT_EQ(chosen(call, {9, 0}), AttentionBackend::Cudnn);
    EXPECT_EQ(chosen(call, {9, 0}, "torch-2.5"), AttentionBackend::Efficient);
}

TEST(AttentionRulesTest, turingHasNoFlashAndNoBfloat16)
{
    AttentionCall call{kSelf, MathType::Float16, AttentionMask::None, Gradients::Needed};
    EXPECT_EQ(chosen(call, {7, 5}), AttentionBackend::Efficient);
    call.type = MathType::Bfloat16;
    EXPECT_EQ(chosen(call, {7, 5}), AttentionBackend::Math);
}

TEST(AttentionRulesTest, oddHeadSizesAreLeftToMath)
{
    AttentionShape shape = kSelf;
    shape.headDim = shape.valueDim = 30;
    EXPECT_EQ(chosen({shape, MathType::Float32}, {8, 0}), AttentionBackend::Math);
    shape.headDim = shape.valueDim = 320;
    EXPECT_EQ(chosen({shape, MathType::Bfloat16}, {8, 0}), AttentionBackend::Efficient);
}

TEST(AttentionRulesTest, largeHeadsNeedSharedMemoryInTheBackwardPass)
{
    AttentionCall call{kSelf, MathType::Bfloat16, AttentionMask::None, Gradients::Needed};
    call.shape.headDim = call.shape.valueDim = 224;
    EXPECT_EQ(chosen(call, {8, 6}), AttentionBackend::Efficient);
    EXPECT_EQ(chosen(call, {8, 0}), AttentionBackend::Flash);
    call.shape.headDim = call.shape.valueDim = 256;
    EXPECT_EQ(chosen(call, {8, 6}), AttentionBackend::Flash);
    call.dropout = 0.1;
    EXPECT_EQ(chosen(call, {8, 6}), AttentionBackend::Efficient);
    call.gradients = Gradients::NotNeeded;
    EXPECT_EQ(chosen(call, {8, 6}), AttentionBackend::Flash);
}

TEST(AttentionRulesTest, longSequencesNeedNoSplits)
{
    EXPECT_EQ(flashSplits(kSelf, 108), 1);
    EXPECT_THAT(flashForwardScratch(kSelf, 108), IsEmpty());
}

// One query block, one head, 16 key blocks of 256 for 216 units: every key block by itself is best.
TEST(AttentionRulesTest, fewBlocksAreSplitAlongTheKeys)
{
    const AttentionShape shape{1, 1, 64, 4096, 64, 64};
    EXPECT_EQ(flashSplits(shape, 108), 16);
    EXPECT_THAT(flashForwardScratch(shape, 108), ElementsAre(16 * 64 * 4, 16 * 64 * 64 * 4));
}

TEST(AttentionRulesTest, flashSumsTheQueriesGradientInFloat32)
{
    EXPECT_THAT(flashBackwardScratch(kSelf), ElementsAre(32 * 4224 * 4, kFloatTensor));
    const AttentionShape odd{2, 3, 100, 50, 40, 40};
    EXPECT_THAT(flashBackwardScratch(odd), ElementsAre(6 * 128 * 4, 6 * 128 * 64 * 4));
}

TEST(AttentionRulesTest, efficientKeepsRowsInSteps)
{
    EXPECT_EQ(efficientLogsumexpQueries(4224), 4224);
    EXPECT_EQ(efficientLogsumexpQueries(4225), 4256);
    EXPECT_THAT(efficientForwardScratch(kCross, MathType::Bfloat16), IsEmpty());
    EXPECT_THAT(efficientBackwardScratch(kCross, MathType::Bfloat16, {9, 0}),
        ElementsAre(32 * 4224 * 4, kFloatTensor + 32 * 66 * 16));
}

// As LibTorch 2.11 allocated them on rehearsed cards, for one head of 65 queries and 70 keys.
TEST(AttentionRulesTest, efficientSumsGradientsInTilesOfTheKernelThatTheDeviceHasRoomFor)
{
    const auto sums = [](std::int64_t headDim, MathType type, ComputeCapability capability) {
        return efficientBackwardScratch({1, 1, 65, 70, headDim, headDim}, type, capability).at(1);
    };
    struct Seen {
        ComputeCapability capability;
        MathType type;
        std::array<Bytes, 5> bytes; ///< of heads of 64, 96, 128, 136, 200
    };
    const std::vector<Seen> all{{{9, 0}, MathType::Bfloat16, {32800, 65552, 65552, 360496, 393280}},
        {{9, 0}, MathType::Float32, {32800, 65568, 65568, 98352, 131136}},
        {{8, 9}, MathType::Bfloat16, {32800, 65568, 196672, 360496, 393280}},
        {{8, 9}, MathType::Float32, {32800, 65600, 65600, 98400, 131200}},
        {{7, 5}, MathType::Float16, {32800, 65568, 65568, 360496, 393280}},
        {{12, 0}, MathType::Bfloat16, {32800, 196672, 196672, 360496, 393280}},
        {{12, 0}, MathType::Float32, {32800, 65600, 65600, 98400, 131200}}};
    constexpr std::array<std::int64_t, 5> kHeads{64, 96, 128, 136, 200};
    for (const Seen& seen : all)
        for (std::size_t i = 0; i < kHeads.size(); ++i)
            EXPECT_EQ(sums(kHeads.at(i), seen.type, seen.capability), seen.bytes.at(i))
                << seen.capability.major << "." << seen.capability.minor << " " << nameOf(seen.type) << " "
                << kHeads.at(i);
}

// FlashAttentionKernel.cpp: 256 queries by 512 keys from 768 queries on; 64 from 192 on; 32 below.
TEST(AttentionRulesTest, theCpusBuffersFollowTheNumberOfQueries)
{
    EXPECT_THAT(cpuFlashForwardScratch(kSelf, MathType::Float32, 2), ElementsAre(2 * 256 * (512 + 2 + 64) * 4));
    const AttentionShape small{1, 2, 20, 7, 8, 8};
    EXPECT_THAT(
        cpuFlashForwardScratch(small, MathType::Bfloat16, 2), ElementsAre(2 * 20 * (7 + 2 + 8) * 4, 2 * 20 * 7 * 2));
    EXPECT_THAT(cpuFlashBackwardScratch(small, MathType::Float64, 1), ElementsAre(2 * 20 * 7 * 8, 20 * 8));
}

TEST(AttentionRulesTest, flopsAreTheProductsOfScoresAndValues)
{
    EXPECT_DOUBLE_EQ(attentionForwardFlops(kSelf), 4.0 * 32 * 4224 * 4224 * 64);
    EXPECT_DOUBLE_EQ(fusedAttentionBackwardFlops(kSelf), 10.0 * 32 * 4224 * 4224 * 64);
}

} // namespace
} // namespace headroom::simulator
