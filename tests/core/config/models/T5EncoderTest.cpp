// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/T5EncoderFamily.h"

#include "core/config/catalogue/Catalogue.h"

#include <gmock/gmock.h>

namespace headroom::config::t5_encoder_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ModelDescriptor kModel = findModel("t5-v1.1-tiny", "");

ValueMap fields(const ValueMap& given = {})
{
    return kModel.fields.complete(given, "model");
}

ValueMap shapes(const ValueMap& given = {})
{
    return kModel.shapes.complete(given, "workload");
}

TEST(T5EncoderTest, theFullSizeHasThePublishedParameters)
{
    const ModelDescriptor model = findModel("t5-v1.1-xxl", "");
    EXPECT_EQ(model.family->parameters(model.fields.defaults()), 4762310656);
}

// 12 tokens, 6 to a text; 16 channels; 4 heads of 4; inner width 24.
TEST(T5EncoderTest, flopsAreTwoForEachMultiplyAdd)
{
    const double forward = 2 * 2.0 * 12 * (4 * 16 * 16 + 2 * 16 * 6 + 3 * 16 * 24);
    EXPECT_EQ(kModel.family->flopsPerStep(fields(), shapes(), StepKind::Inference), forward);
    EXPECT_EQ(kModel.family->flopsPerStep(fields(), shapes(), StepKind::Train), 3 * forward);
    EXPECT_EQ(kModel.family->tokensPerStep(shapes()), 12);
}

TEST(T5EncoderTest, whatCannotWorkIsNamed)
{
    const auto problems = [](const ValueMap& given) {
        return sentencesOf(kModel.family->problems(fields(given), shapes()));
    };
    EXPECT_THAT(problems({}), IsEmpty());
    EXPECT_THAT(problems({{"relative_attention_num_buckets", 6}}),
        ElementsAre(HasSubstr("relative_attention_num_buckets = 6")));
    EXPECT_THAT(problems({{"relative_attention_max_distance", 2}}),
        ElementsAre(HasSubstr("relative_attention_max_distance = 2")));
}

} // namespace
} // namespace headroom::config::t5_encoder_test
