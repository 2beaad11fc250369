// SPDX-License-Identifier: Apache-2.0
//
// The table of layerwise casting of the reference values: the small LTX-Video, stored in another type and computed in
// float32.
#include "tests/core/techniques/casting/CastModels.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

namespace headroom::techniques {
namespace {

using Granularity = config::CastingNotation::Granularity;
using Value = config::Value;

// Of seven printed digits, with float32 sums in another order.
constexpr double kRelative = 1e-5;
constexpr double kElement = 5e-6;

struct Expected {
    double norm;
    double first;
    double other; ///< element 96
    std::size_t stored; ///< tensors in the storage type
    double change; ///< relative L2 change of the output
};

double l2(const at::Tensor& tensor)
{
    return tensor.to(at::kDouble).norm().item<double>();
}

at::Tensor outputOf(models::Model& model)
{
    const torch::NoGradGuard noGradients;
    return model.forward(referenceLtxInputs());
}

void expectOutput(models::Model& model, c10::ScalarType storage, const Expected& expected)
{
    const at::Tensor output = outputOf(model);
    const at::Tensor plain = outputOf(*referenceLtx());
    EXPECT_NEAR(l2(output), expected.norm, kRelative * expected.norm);
    EXPECT_NEAR(output.flatten()[0].item<double>(), expected.first, kElement);
    EXPECT_NEAR(output.flatten()[96].item<double>(), expected.other, kElement);
    EXPECT_NEAR(l2(output - plain) / l2(plain), expected.change, 1e-5);
    EXPECT_EQ(tensorsOf(model, storage), expected.stored);
    EXPECT_EQ(model.parameters().size(), 65U);
}

// The model's own method: the technique with its options.
void expectTechnique(
    const std::string& notation, const config::ValueMap& options, c10::ScalarType storage, const Expected& expected)
{
    SCOPED_TRACE(notation);
    config::Configuration configuration = config::defaultConfiguration("ltx-video-tiny", "");
    Casting technique(
        config::makeSetting(config::findTechnique("casting", ""), notation, options, "techniques.casting"),
        configuration);
    const auto model = referenceLtx();
    technique.apply(*model);
    expectOutput(*model, storage, expected);
}

// The free function: what is given is all that is left alone.
void expectRules(const CastRules& rules, const Expected& expected)
{
    const auto model = referenceLtx();
    const AppliedCasting casting(*model, rules);
    expectOutput(*model, rules.storage, expected);
    EXPECT_EQ(casting.stored.tensors, static_cast<std::int64_t>(expected.stored));
}

TEST(CastingReferenceTest, theDefaultsOfTheModelsMethod)
{
    requireValues();
    expectTechnique("e4m3", {}, at::kFloat8_e4m3fn, {13.760103, 1.2287451, 1.5390774, 50, 0.02340});
    expectTechnique("e5m2", {}, at::kFloat8_e5m2, {14.184552, 1.2118317, 1.5322484, 50, 0.06774});
    expectTechnique("bf16", {}, at::kBFloat16, {13.817779, 1.2189233, 1.5271039, 50, 0.00248});
}

TEST(CastingReferenceTest, patternsThatReplaceTheGeneralOnesKeepTheFamilys)
{
    requireValues();
    expectTechnique("e4m3", {{"skip_modules_pattern", Value::List{"zzz"}}}, at::kFloat8_e4m3fn,
        {13.580783, 1.2272909, 1.5277767, 54, 0.04240});
}

TEST(CastingReferenceTest, theWholeModelTablesIncluded)
{
    requireValues();
    const Expected expected{13.708091, 1.2351704, 1.5509667, 65, 0.04132};
    expectTechnique("e4m3:model", {}, at::kFloat8_e4m3fn, expected);
    expectRules({.granularity = Granularity::Model}, expected);
}

TEST(CastingReferenceTest, patternsOfTheFreeFunction)
{
    requireValues();
    expectRules({.skipPatterns = {"attn", "norm"}}, {13.644842, 1.2290503, 1.5109124, 22, 0.03828});
}

TEST(CastingReferenceTest, classesOfTheFreeFunction)
{
    requireValues();
    expectRules({.skipClasses = {"Linear"}}, {13.81263, 1.2181686, 1.5250859, 0, 0});
}

} // namespace
} // namespace headroom::techniques
