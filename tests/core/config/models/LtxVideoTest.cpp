// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LtxVideoFamily.h"

#include "core/config/catalogue/Catalogue.h"

#include <gmock/gmock.h>

namespace headroom::config::ltx_video_test {
namespace {

const ModelDescriptor kModel = findModel("ltx-video-2b", "");

ValueMap fields(const ValueMap& given = {})
{
    return kModel.fields.complete(given, "model");
}

ValueMap shapes(const ValueMap& given = {})
{
    return kModel.shapes.complete(given, "workload");
}

std::vector<std::string> problems(const ValueMap& givenFields, const ValueMap& givenShapes = {})
{
    return sentencesOf(kModel.family->problems(fields(givenFields), shapes(givenShapes)));
}

TEST(LtxVideoTest, hasUpstreamsNumberOfParameters)
{
    EXPECT_EQ(kModel.family->parameters(fields()), 1923385472);
    const ValueMap large{{"num_layers", 48}, {"attention_head_dim", 128}};
    EXPECT_EQ(kModel.family->parameters(fields(large)), 13042569344);
}

TEST(LtxVideoTest, theLargeVariantIsUpstreams13B)
{
    const ModelDescriptor large = findModel("ltx-video-13b", "");
    EXPECT_EQ(large.family, kModel.family);
    EXPECT_EQ(large.family->parameters(large.fields.defaults()), 13042569344);
    EXPECT_EQ(large.family->tokensPerStep(large.shapes.defaults()), 7392);
    EXPECT_THAT(large.family->problems(large.fields.defaults(), large.shapes.defaults()), testing::IsEmpty());
}

// Published cost of a forward pass: 13.95 linear layers, 4.09 self-attention, 0.12 cross-attention.
TEST(LtxVideoTest, aForwardPassOfThePublishedShapesIs18Teraflops)
{
    EXPECT_NEAR(kModel.family->flopsPerStep(fields(), shapes(), StepKind::Inference), 18.17e12, 0.01e12);
}

TEST(LtxVideoTest, pixelsAndFramesBecomeLatentTokens)
{
    const LtxLatent latent = ltxLatent(shapes());
    EXPECT_EQ(latent.frames, 11);
    EXPECT_EQ(latent.height, 16);
    EXPECT_EQ(latent.width, 24);
    EXPECT_EQ(kModel.family->tokensPerStep(shapes({{"batch", 3}})), 3 * 4224);
}

TEST(LtxVideoTest, theProjectedTextFollowsTheWidthOfTheModel)
{
    EXPECT_THAT(problems({{"num_attention_heads", 4}}), testing::IsEmpty());
    EXPECT_THAT(problems({{"num_attention_heads", 4}, {"cross_attention_dim", 256}}), testing::IsEmpty());
    EXPECT_THAT(problems({{"num_attention_heads", 4}, {"cross_attention_dim", 2048}}),
        testing::ElementsAre("cross_attention_dim = 2048 differs from num_attention_heads * attention_head_dim = 256, "
                             "the width of the projected text"));
}

TEST(LtxVideoTest, shapesThatTheAutoencoderCannotMakeAreRefused)
{
    EXPECT_THAT(
        problems({}, {{"height", 500}}), testing::ElementsAre("height = 500 is no multiple of 32 (valid: 480 or 512)"));
    EXPECT_THAT(problems({}, {{"height", 31}}), testing::ElementsAre("height = 31 is no multiple of 32 (valid: 32)"));
    EXPECT_THAT(problems({}, {{"frames", 80}}),
        testing::ElementsAre("frames = 80 is not one more than a multiple of 8 (valid: 73 or 81)"));
    EXPECT_THAT(problems({}, {{"frames", 1}}), testing::IsEmpty());
}

TEST(LtxVideoTest, aProblemNamesItsSettingAndTheNearestValuesThatWork)
{
    const auto found = kModel.family->problems(fields({}), shapes({{"frames", 120}}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, "workload.frames");
    EXPECT_EQ(found[0].valid, "113 or 121");
    EXPECT_THAT(found[0].repairs,
        testing::ElementsAre(Repair{"Use 113", "workload.frames", 113}, Repair{"Use 121", "workload.frames", 121}));
    for (const Repair& repair : found[0].repairs)
        EXPECT_THAT(problems({}, {{"frames", repair.value}}), testing::IsEmpty());
    EXPECT_EQ(
        kModel.family->problems(fields({{"cross_attention_dim", 9}}), shapes())[0].path, "model.cross_attention_dim");
}

TEST(LtxVideoTest, widthsWithoutRotaryEmbeddingAreRefused)
{
    const auto reasons = [&](int heads, int headDim) {
        return problems({{"num_attention_heads", heads}, {"attention_head_dim", headDim}});
    };
    EXPECT_THAT(reasons(1, 8), testing::IsEmpty());
    EXPECT_THAT(reasons(1, 6), testing::IsEmpty());
    EXPECT_THAT(reasons(1, 4), testing::ElementsAre(testing::HasSubstr("= 4 must be even and at least 6")));
    EXPECT_THAT(reasons(3, 5), testing::ElementsAre(testing::HasSubstr("= 15 must be even")));
}

} // namespace
} // namespace headroom::config::ltx_video_test
