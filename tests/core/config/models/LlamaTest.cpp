// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LlamaFamily.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

#include <gmock/gmock.h>

namespace headroom::config::llama_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ModelDescriptor kModel = findModel("llama-tiny", "");

ValueMap fields(const ValueMap& given = {})
{
    return kModel.fields.complete(given, "model");
}

ValueMap shapes(const ValueMap& given = {})
{
    return kModel.shapes.complete(given, "workload");
}

std::vector<std::string> problems(const ValueMap& given)
{
    return sentencesOf(kModel.family->problems(fields(given), shapes()));
}

TEST(LlamaTest, fullSizesHaveThePublishedParameters)
{
    const auto parameters = [](const char* name) {
        const ModelDescriptor model = findModel(name, "");
        return model.family->parameters(model.fields.defaults());
    };
    EXPECT_EQ(parameters("llama-2-7b"), 6738415616);
    EXPECT_EQ(parameters("llama-2-13b"), 13015864320);
    EXPECT_EQ(parameters("llama-3-8b"), 8030261248);
}

// 12 tokens of 6 to a sequence; 16 channels; queries of 4 x 4, keys and values of 2 x 4; inner width 24; 48 words.
TEST(LlamaTest, flopsAreTwoForEachMultiplyAdd)
{
    const double block = 2.0 * 12 * (2 * 16 * 16 + 2 * 16 * 8 + 2 * 16 * 6 + 3 * 16 * 24);
    const double forward = 2 * block + 2.0 * 12 * 16 * 48;
    EXPECT_EQ(kModel.family->flopsPerStep(fields(), shapes(), StepKind::Inference), forward);
    EXPECT_EQ(kModel.family->flopsPerStep(fields(), shapes(), StepKind::Train), 3 * forward);
}

TEST(LlamaTest, tokensAndWidthsFollowFieldsAndShapes)
{
    EXPECT_EQ(kModel.family->tokensPerStep(shapes({{"batch", 3}, {"sequence_length", 5}})), 15);
    EXPECT_EQ(kModel.family->feedForwardTokens(shapes({{"batch", 3}, {"sequence_length", 5}})), 15);
    EXPECT_EQ(kModel.family->blocks(fields({{"num_hidden_layers", 7}})), 7);
    EXPECT_THAT(kModel.family->feedForwardWidths(fields()), ElementsAre(24));
    EXPECT_EQ(llamaHeadDim(fields()), 4);
    EXPECT_EQ(llamaHeadDim(fields({{"head_dim", 10}})), 10);
}

TEST(LlamaTest, whatCannotWorkIsNamed)
{
    EXPECT_THAT(problems({}), IsEmpty());
    EXPECT_THAT(problems({{"num_key_value_heads", 3}}), ElementsAre(HasSubstr("num_key_value_heads = 3")));
    EXPECT_THAT(problems({{"hidden_size", 18}}), ElementsAre(HasSubstr("hidden_size = 18")));
    EXPECT_THAT(problems({{"hidden_size", 18}, {"head_dim", 6}}), IsEmpty());
    EXPECT_THAT(problems({{"head_dim", 5}}), ElementsAre(HasSubstr("head_dim = 5")));
    EXPECT_THAT(problems({{"hidden_size", 20}}), ElementsAre(HasSubstr("head_dim = 5")));
    EXPECT_THAT(problems({{"tie_word_embeddings", true}}), ElementsAre(HasSubstr("tie_word_embeddings")));
}

TEST(LlamaTest, crossEntropyIsALossOfIt)
{
    Configuration configuration = defaultConfiguration("llama-tiny", "");
    configuration.workload.step = StepKind::Train;
    configuration.workload.loss = Loss::CrossEntropy;
    EXPECT_THAT(conflicts(configuration), IsEmpty());
    Configuration video = defaultConfiguration("ltx-video-tiny", "");
    video.workload = configuration.workload;
    video.workload.shapes = findModel("ltx-video-tiny", "").shapes.defaults();
    EXPECT_THAT(conflicts(video), ElementsAre(HasSubstr("cross_entropy")));
}

} // namespace
} // namespace headroom::config::llama_test
