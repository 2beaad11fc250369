// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/FeedForward.h"

#include "core/base/Wording.h"
#include "core/config/models/FfnStackFamily.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <cmath>
#include <numbers>

namespace headroom::models {
namespace {

double erfGelu(double x)
{
    return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
}

double tanhGelu(double x)
{
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

at::Tensor activated(const std::string& kind, const std::vector<double>& values)
{
    return activate(activationFromName(kind), at::tensor(values, at::kDouble).to(testDevice()));
}

class ElementwiseActivationTest : public testing::TestWithParam<std::pair<const char*, double (*)(double)>> { };

TEST_P(ElementwiseActivationTest, isItsFormula)
{
    requireValues();
    const auto& [kind, formula] = GetParam();
    const std::vector<double> points{-6.5, -1.0, -0.3, 0.0, 0.2, 1.0, 3.7, 20.0};
    const at::Tensor result = activated(kind, points);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_NEAR(result[static_cast<std::int64_t>(i)].item<double>(), formula(points[i]), 1e-12) << points[i];
    EXPECT_FALSE(isGated(activationFromName(kind)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ElementwiseActivationTest,
    testing::Values(std::pair{"gelu", &erfGelu}, std::pair{"gelu-approximate", &tanhGelu},
        std::pair{"geglu-approximate", +[](double x) { return x * sigmoid(1.702 * x); }},
        std::pair{"linear-silu", +[](double x) { return x * sigmoid(x); }}));

TEST(ActivationTest, gatedKindsMultiplyTheFirstHalfByAFunctionOfTheSecond)
{
    requireValues();
    const at::Tensor geglu = activated("geglu", {2.0, -3.0, 0.5, 1.5});
    EXPECT_EQ(geglu.size(0), 2);
    EXPECT_NEAR(geglu[0].item<double>(), 2.0 * erfGelu(0.5), 1e-12);
    EXPECT_NEAR(geglu[1].item<double>(), -3.0 * erfGelu(1.5), 1e-12);
    const at::Tensor swiglu = activated("swiglu", {2.0, -3.0, 0.5, 1.5});
    EXPECT_NEAR(swiglu[0].item<double>(), 2.0 * 0.5 * sigmoid(0.5), 1e-12);
    EXPECT_NEAR(swiglu[1].item<double>(), -3.0 * 1.5 * sigmoid(1.5), 1e-12);
}

TEST(ActivationTest, theGateAppliedToHalvesIsTheActivationOfTheWhole)
{
    for (const char* kind : {"geglu", "swiglu"}) {
        const Activation activation = activationFromName(kind);
        const at::Tensor h = at::randn({3, 5, 14}, onTestDevice(at::kDouble));
        EXPECT_TRUE(isGated(activation));
        EXPECT_TRUE(
            sameNumbers(activate(activation, h), applyGate(activation, h.narrow(-1, 0, 7), h.narrow(-1, 7, 7))));
    }
}

TEST(ActivationTest, everyKindOfTheCatalogueHasOne)
{
    for (const std::string& kind : config::activationKinds())
        EXPECT_EQ(isGated(activationFromName(kind)), config::isGated(kind)) << kind;
}

TEST(ActivationTest, anUnknownNameIsRefusedWithThoseThereAre)
{
    EXPECT_EQ(refusal([] { activationFromName("relu"); }),
        "activation_fn: unknown activation \"relu\" (valid: " + joined(config::activationKinds()) + ")");
}

} // namespace
} // namespace headroom::models
