// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/CogVideoXFamily.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

#include <gmock/gmock.h>

namespace headroom::config::cog_video_x_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> problems(
    const std::string& model, const ValueMap& givenFields, const ValueMap& givenShapes = {})
{
    const ModelDescriptor descriptor = findModel(model, "");
    return sentencesOf(descriptor.family->problems(
        descriptor.fields.complete(givenFields, "model"), descriptor.shapes.complete(givenShapes, "workload")));
}

std::int64_t parameters(const std::string& model, const ValueMap& given = {})
{
    const ModelDescriptor descriptor = findModel(model, "");
    return descriptor.family->parameters(descriptor.fields.complete(given, "model"));
}

TEST(CogVideoXTest, hasUpstreamsNumberOfParameters)
{
    EXPECT_EQ(parameters("cogvideox-2b"), 1693783872);
    EXPECT_EQ(parameters("cogvideox-5b"), 5570283072);
    EXPECT_EQ(parameters("cogvideox-tiny"), 36744);
    EXPECT_EQ(parameters("cogvideox-2b") - parameters("cogvideox-2b", {{"num_layers", 29}}), 56081536);
    EXPECT_EQ(parameters("cogvideox-5b") - parameters("cogvideox-5b", {{"num_layers", 41}}), 132197632);
}

// 13 latent frames of 30 x 45 patches.
TEST(CogVideoXTest, pixelsAndFramesBecomeLatentTokens)
{
    const ModelDescriptor model = findModel("cogvideox-5b", "");
    const CogVideoXLatent latent = cogVideoXLatent(model.shapes.defaults());
    EXPECT_EQ(latent, cogVideoXSample(model.fields.defaults()));
    EXPECT_EQ(latent.tokens(), 17550);
    EXPECT_EQ(model.family->tokensPerStep(model.shapes.complete({{"batch", 2}}, "workload")), 2 * 17550);
    EXPECT_EQ(model.family->feedForwardTokens(model.shapes.defaults()), 17776) << "text and video together";
}

TEST(CogVideoXTest, whatIsNotSupportedIsRefusedByName)
{
    const auto reasons = [](const char* field, const Value& value) {
        return problems("cogvideox-5b", {{field, value}});
    };
    EXPECT_THAT(reasons("patch_size", 4), ElementsAre("patch_size = 4 is not supported (valid: 2)"));
    EXPECT_THAT(reasons("patch_size_t", 2), ElementsAre("patch_size_t = 2 is not supported (valid: left out)"));
    EXPECT_THAT(reasons("temporal_compression_ratio", 8),
        ElementsAre("temporal_compression_ratio = 8 is not supported (valid: 4)"));
    EXPECT_THAT(reasons("ofs_embed_dim", 512), ElementsAre("ofs_embed_dim = 512 is not supported (valid: left out)"));
    EXPECT_THAT(reasons("use_learned_positional_embeddings", true),
        ElementsAre("use_learned_positional_embeddings = true is not supported (valid: false)"));
    EXPECT_THAT(reasons("freq_shift", 1), IsEmpty());
    EXPECT_THAT(reasons("freq_shift", 1536), ElementsAre("freq_shift = 1536 leaves no frequency of the 1536"));
}

TEST(CogVideoXTest, widthsWithoutPositionsAreRefused)
{
    EXPECT_THAT(problems("cogvideox-5b", {{"attention_head_dim", 72}}),
        ElementsAre("attention_head_dim = 72 is no multiple of 16, as positions of three axes need"));
    EXPECT_THAT(problems("cogvideox-2b", {{"attention_head_dim", 72}}), IsEmpty()) << "2160 channels";
    EXPECT_THAT(problems("cogvideox-2b", {{"attention_head_dim", 60}, {"num_attention_heads", 1}}),
        ElementsAre("num_attention_heads * attention_head_dim = 60 is no multiple of 16, as positions of three axes "
                    "need"));
}

// Positions that are added to the tokens are made for one length of text.
TEST(CogVideoXTest, addedPositionsAreOfOneLengthOfText)
{
    EXPECT_THAT(problems("cogvideox-5b", {}, {{"text_tokens", 100}}), IsEmpty());
    EXPECT_THAT(problems("cogvideox-2b", {}, {{"text_tokens", 100}}),
        ElementsAre("text_tokens = 100 differs from max_text_seq_length = 226, for which the positions are made"));
    EXPECT_THAT(problems("cogvideox-2b", {{"max_text_seq_length", 100}}, {{"text_tokens", 100}}), IsEmpty());
}

TEST(CogVideoXTest, shapesThatTheAutoencoderCannotMakeAreRefused)
{
    EXPECT_THAT(problems("cogvideox-5b", {}, {{"height", 488}}),
        ElementsAre("height = 488 is no multiple of 16 (valid: 480 or 496)"));
    EXPECT_THAT(problems("cogvideox-5b", {}, {{"frames", 48}}),
        ElementsAre("frames = 48 is not one more than a multiple of 4 (valid: 45 or 49)"));
    EXPECT_THAT(problems("cogvideox-5b", {}, {{"frames", 1}}), IsEmpty());
}

} // namespace
} // namespace headroom::config::cog_video_x_test
