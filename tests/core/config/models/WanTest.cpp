// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/WanFamily.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/techniques/CastingDescriptor.h"

#include <gmock/gmock.h>

namespace headroom::config::wan_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ModelDescriptor kSmall = findModel("wan-2.1-1.3b", "");
const ModelDescriptor kLarge = findModel("wan-2.1-14b", "");

std::int64_t parametersOf(const ModelDescriptor& model, const ValueMap& fields = {})
{
    return model.family->parameters(model.fields.complete(fields, "model"));
}

std::vector<std::string> problems(const ValueMap& fields, const ValueMap& shapes = {})
{
    return sentencesOf(
        kSmall.family->problems(kSmall.fields.complete(fields, "model"), kSmall.shapes.complete(shapes, "workload")));
}

TEST(WanTest, hasUpstreamsNumberOfParameters)
{
    EXPECT_EQ(parametersOf(kSmall), 1418996800);
    EXPECT_EQ(parametersOf(kLarge), 14288491584);
    EXPECT_EQ(parametersOf(kSmall) - parametersOf(kSmall, {{"num_layers", 29}}), 46440704);
    // The text-to-video part of Wan 2.2's 5B.
    EXPECT_EQ(parametersOf(
                  kSmall, {{"num_attention_heads", 24}, {"ffn_dim", 14336}, {"in_channels", 48}, {"out_channels", 48}}),
        4999787712);
}

TEST(WanTest, pixelsAndFramesBecomeTokens)
{
    const WanLatent latent = wanLatent(kLarge.shapes.defaults());
    EXPECT_EQ(latent.frames, 21);
    EXPECT_EQ(latent.height, 60);
    EXPECT_EQ(latent.width, 104);
    EXPECT_EQ(kLarge.family->tokensPerStep(kLarge.shapes.complete({{"batch", 2}}, "")), 2 * 32760);
}

// 2 multiply-adds: the linear layers of a block see every token, the attention every pair.
TEST(WanTest, aForwardPassIsTheSumOfItsProducts)
{
    const ValueMap fields = kSmall.fields.complete({{"num_layers", 1}}, "");
    const ValueMap more = kSmall.fields.complete({{"num_layers", 3}}, "");
    const ValueMap shapes = kSmall.shapes.defaults();
    const double n = 32760, d = 1536, text = 512;
    const double block = 2 * (6 * n * d * d + 2 * text * d * d + 2 * n * d * 8960 + 2 * n * d * (n + text));
    const auto flops = [&](const ValueMap& of, StepKind step) { return kSmall.family->flopsPerStep(of, shapes, step); };
    EXPECT_DOUBLE_EQ(flops(more, StepKind::Inference) - flops(fields, StepKind::Inference), 2 * block);
    EXPECT_DOUBLE_EQ(flops(more, StepKind::Train) - flops(fields, StepKind::Train), 6 * block);
}

TEST(WanTest, imageToVideoIsRefusedByTheNameOfItsField)
{
    EXPECT_THAT(problems({}), IsEmpty());
    for (const char* field : {"image_dim", "added_kv_proj_dim", "pos_embed_seq_len"})
        EXPECT_THAT(problems({{field, 1280}}),
            ElementsAre(std::string(field)
                + " = 1280 is of an image-to-video model, which is not supported (valid: text-to-video models, without "
                  "it)"));
}

TEST(WanTest, patchesAndHeadsThatCannotBeRunAreRefused)
{
    EXPECT_THAT(problems({{"patch_size", Value::List{1, 4, 4}}}), ElementsAre(HasSubstr("patch_size = ")));
    EXPECT_THAT(problems({{"attention_head_dim", 6}}), IsEmpty());
    for (const int odd : {4, 13})
        EXPECT_THAT(problems({{"attention_head_dim", odd}}), ElementsAre(HasSubstr("must be even and at least 6")));
    EXPECT_THAT(problems({{"freq_dim", 255}}), ElementsAre(HasSubstr("freq_dim = 255 must be even")));
}

TEST(WanTest, shapesThatTheAutoencoderCannotMakeAreRefused)
{
    EXPECT_THAT(problems({}, {{"height", 488}}), ElementsAre("height = 488 is no multiple of 16 (valid: 480 or 496)"));
    EXPECT_THAT(problems({}, {{"frames", 80}}),
        ElementsAre("frames = 80 is not one more than a multiple of 4 (valid: 77 or 81)"));
    EXPECT_THAT(problems({}, {{"frames", 1}}), IsEmpty());
}

TEST(WanTest, videosBeyondTheRotaryTablesAreRefused)
{
    EXPECT_THAT(problems({{"rope_max_seq_len", 52}}), IsEmpty());
    EXPECT_THAT(problems({{"rope_max_seq_len", 51}}),
        ElementsAre("rope_max_seq_len = 51 is less than the 21 x 30 x 52 tokens of the video"));
}

TEST(WanTest, tablesNormsAndTheTimeEmbedderAreCountedAsKeptInFloat32)
{
    const std::int64_t timeEmbedder = 1536 * 257 + 1536 * 1537;
    const std::int64_t block = 6 * 1536 + 2 * 1536;
    EXPECT_EQ(wanParametersInFloat32(kSmall.fields.defaults()), timeEmbedder + 30 * block + 2 * 1536);
    EXPECT_EQ(wanParametersInFloat32(kSmall.fields.complete({{"keep_in_fp32_modules", false}}, "")), 0);
}

TEST(WanTest, castingLeavesOutWhatUpstreamNames)
{
    const auto patterns = castingSkipPatterns(parseCasting("e4m3", ""), {}, *kSmall.family);
    for (const char* name : {"patch_embedding", "condition_embedder", "norm", "time_embedder", "scale_shift_table"})
        EXPECT_THAT(patterns, testing::Contains(name));
}

} // namespace
} // namespace headroom::config::wan_test
