// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/support/Refusal.h"

namespace headroom::config::ffn_stack_test {
namespace {

ValueMap fields(const ValueMap& given)
{
    return ffnStackFamily().fields.complete(given, "model");
}

ValueMap shapes(const ValueMap& given)
{
    return ffnStackFamily().shapes.complete(given, "workload");
}

std::int64_t parameters(const ValueMap& given)
{
    return ffnStackFamily().parameters(fields(given));
}

double flops(const ValueMap& givenFields, const ValueMap& givenShapes, StepKind step)
{
    return ffnStackFamily().flopsPerStep(fields(givenFields), shapes(givenShapes), step);
}

// One layer, dim 2, inner width 6: weights 6x2 and 2x6, biases 6 and 2.
const ValueMap kSmall{{"num_layers", 1}, {"dim", 2}, {"mult", 3}, {"activation_fn", "gelu"}};

TEST(FfnStackTest, countsWeightsAndBiases)
{
    EXPECT_EQ(parameters(kSmall), 6 * 2 + 6 + 2 * 6 + 2);
    ValueMap plain = kSmall;
    plain["bias"] = false;
    EXPECT_EQ(parameters(plain), 6 * 2 + 2 * 6);
}

TEST(FfnStackTest, gatedActivationsDoubleTheFirstLinear)
{
    ValueMap gated = kSmall;
    for (const char* kind : {"geglu", "swiglu"}) {
        gated["activation_fn"] = kind;
        EXPECT_EQ(parameters(gated), 12 * 2 + 12 + 2 * 6 + 2) << kind;
    }
    for (const char* kind : {"gelu", "gelu-approximate", "geglu-approximate", "linear-silu"}) {
        gated["activation_fn"] = kind;
        EXPECT_EQ(parameters(gated), parameters(kSmall)) << kind;
    }
}

TEST(FfnStackTest, onlyTheLastLayerChangesTheWidth)
{
    ValueMap three = kSmall;
    three["num_layers"] = 3;
    three["dim_out"] = 5;
    EXPECT_EQ(parameters(three), 3 * (6 * 2 + 6) + 2 * (2 * 6 + 2) + (5 * 6 + 5));
}

// Published size: 5 layers, dim 4096, mult 4, gelu: 5 * (2 * 4096 * 16384 + 16384 + 4096), counted by hand.
TEST(FfnStackTest, thePublishedStackHas671Million)
{
    EXPECT_EQ(parameters({{"activation_fn", "gelu"}}), 671'191'040);
    EXPECT_EQ(parameters({{"activation_fn", "geglu"}}), 1'006'817'280);
}

TEST(FfnStackTest, inferenceCountsTwoOperationsPerMultiplyAdd)
{
    // 3 * 7 tokens through 2x6 and 6x2.
    EXPECT_EQ(flops(kSmall, {{"batch", 3}, {"sequence_length", 7}}, StepKind::Inference), 2.0 * 21 * (12 + 12));
    EXPECT_EQ(flops({{"activation_fn", "gelu"}}, {}, StepKind::Inference), 2.0 * 16384 * 5 * 2 * 4096 * 16384);
}

TEST(FfnStackTest, theBackwardPassCostsTwiceTheForwardWithoutTheInputsGradient)
{
    for (const StepKind step : {StepKind::ForwardBackward, StepKind::Train})
        EXPECT_EQ(flops(kSmall, {{"batch", 1}, {"sequence_length", 1}}, step), 2.0 * (3 * 24 - 12));
}

TEST(FfnStackTest, tokensAreBatchTimesSequence)
{
    const ModelFamily family = ffnStackFamily();
    EXPECT_EQ(family.tokensPerStep(shapes({{"batch", 3}, {"sequence_length", 7}})), 21);
    EXPECT_EQ(family.feedForwardTokens(shapes({{"batch", 3}, {"sequence_length", 7}})), 21);
}

TEST(FfnStackTest, blocksAndWidthsFollowTheFields)
{
    const ModelFamily family = ffnStackFamily();
    EXPECT_EQ(family.blocks(fields({{"num_layers", 7}})), 7);
    EXPECT_EQ(family.feedForwardWidths(fields(kSmall)), std::vector<std::int64_t>{6});
    EXPECT_EQ(outputWidth(fields(kSmall)), 2);
    EXPECT_EQ(outputWidth(fields({{"dim_out", 9}})), 9);
}

TEST(FfnStackTest, refusesFieldsOutsideTheirRange)
{
    EXPECT_EQ(refusal([] { fields({{"activation_fn", "relu"}}); }),
        "model.activation_fn: found \"relu\" (valid: gelu, gelu-approximate, geglu, geglu-approximate, swiglu, "
        "linear-silu)");
    EXPECT_EQ(refusal([] { fields({{"dropout", 1.5}}); }),
        "model.dropout: found 1.5 (valid: a number of at least 0.0 and at most 1.0)");
    for (const char* name : {"num_layers", "dim", "dim_out", "mult"})
        EXPECT_THROW(fields({{name, 0}}), UsageError) << name;
}

TEST(FfnStackTest, refusesSizesWhoseCountsWouldOverflow)
{
    const std::int64_t huge = std::int64_t{1} << 40;
    for (const char* name : {"num_layers", "dim", "dim_out", "mult"})
        EXPECT_THROW(fields({{name, huge}}), UsageError) << name;
    for (const char* name : {"batch", "sequence_length"})
        EXPECT_THROW(shapes({{name, huge}}), UsageError) << name;
}

TEST(FfnStackTest, theLargestSizesStillHaveAPositiveCount)
{
    const ModelFamily family = ffnStackFamily();
    ValueMap largest{{"activation_fn", "geglu"}};
    for (const Field& field : family.fields.all())
        if (field.type == FieldType::Integer)
            largest[field.name] = static_cast<std::int64_t>(field.maximum.value());
    EXPECT_GT(parameters(largest), parameters({{"activation_fn", "geglu"}}));
    EXPECT_GT(parameters(largest) * 8, 0);
}

} // namespace
} // namespace headroom::config::ffn_stack_test
