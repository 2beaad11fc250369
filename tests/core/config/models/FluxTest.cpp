// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FluxFamily.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

#include <gmock/gmock.h>

namespace headroom::config::flux_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const ModelDescriptor kModel = findModel("flux-dev", "");

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

TEST(FluxTest, hasUpstreamsNumberOfParameters)
{
    const auto parameters = [](const ValueMap& given) { return kModel.family->parameters(fields(given)); };
    EXPECT_EQ(parameters({}), 11901408320);
    EXPECT_EQ(kModel.family->parameters(findModel("flux-schnell", "").fields.defaults()), 11891178560);
    EXPECT_EQ(parameters({}) - parameters({{"num_layers", 18}}), 339831296);
    EXPECT_EQ(parameters({}) - parameters({{"num_single_layers", 37}}), 141591808);
    EXPECT_EQ(kModel.family->parameters(findModel("flux-tiny", "").fields.defaults()), 130052);
}

TEST(FluxTest, outputsAreAsWideAsInputsUnlessAWidthIsGiven)
{
    EXPECT_EQ(fluxOutputWidth(fields()), 64);
    EXPECT_EQ(fluxOutputWidth(fields({{"out_channels", 16}})), 16);
    EXPECT_EQ(fluxOutputWidth(fields({{"out_channels", 16}, {"patch_size", 2}})), 64);
}

TEST(FluxTest, sixteenPixelsAreATokensSide)
{
    EXPECT_EQ(fluxGrid(shapes()).tokens(), 4096);
    EXPECT_EQ(fluxGrid(shapes({{"height", 768}, {"width", 512}})).rows, 48);
    EXPECT_EQ(kModel.family->tokensPerStep(shapes({{"batch", 3}})), 3 * 4096);
}

// Both kinds of block run through one counter.
TEST(FluxTest, bothKindsOfBlocksAreCounted)
{
    EXPECT_EQ(kModel.family->blocks(fields()), 57);
    EXPECT_EQ(kModel.family->blocks(fields({{"num_single_layers", 0}})), 19);
}

TEST(FluxTest, slicesOfTokensHaveToDivideImageAndText)
{
    EXPECT_EQ(kModel.family->feedForwardTokens(shapes()), 512);
    EXPECT_EQ(kModel.family->feedForwardTokens(shapes({{"text_tokens", 77}})), 1);
    EXPECT_THAT(kModel.family->feedForwardWidths(fields({{"num_layers", 0}})), IsEmpty());
}

TEST(FluxTest, axesThatAreNoHeadAreRefused)
{
    const auto reasons = [](const Value::List& axes) { return problems({{"axes_dims_rope", axes}}); };
    EXPECT_THAT(reasons({8, 60, 60}), IsEmpty());
    EXPECT_THAT(reasons({16, 56, 58}),
        ElementsAre("axes_dims_rope = [16, 56, 58] does not add up to attention_head_dim = 128"));
    EXPECT_THAT(reasons({16, 57, 55}), ElementsAre("axes_dims_rope = [16, 57, 55] has to consist of even widths"));
    EXPECT_THAT(reasons({-16, 72, 72}), ElementsAre("axes_dims_rope = [-16, 72, 72] has to consist of even widths"));
    EXPECT_THAT(reasons({64, 64}), ElementsAre("axes_dims_rope = [64, 64] has to name 3 axes: index, row, column"));
}

TEST(FluxTest, whatCannotBeRunIsRefused)
{
    EXPECT_THAT(
        problems({}, {{"height", 1000}}), ElementsAre("height = 1000 is no multiple of 16 (valid: 992 or 1008)"));
    EXPECT_THAT(problems({{"num_layers", 0}}), IsEmpty());
    EXPECT_THAT(problems({{"num_layers", 0}, {"num_single_layers", 0}}),
        ElementsAre("num_layers = 0 and num_single_layers = 0 leave no block"));
}

} // namespace
} // namespace headroom::config::flux_test
