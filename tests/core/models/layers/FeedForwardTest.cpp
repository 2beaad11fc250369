// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/FeedForward.h"

#include "tests/reference/ReferenceFill.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headroom::models {
namespace {

/// Computed with upstream's FeedForward in float32: dim 8, dim_out 6, mult 4, bias; the parameters filled by the
/// reference rule, input [2, 3, 8] = 3 r(9001), loss the mean of the squared output.
struct Expectation {
    const char* kind;
    double outputNorm;
    double first, second, last; ///< elements 0, 1, 35 of the output
    double gradientNorm;
};

constexpr Expectation kExpectations[]{
    {"gelu", 5.526846, 2.0840771, 0.0095782578, -1.1333429, 2.677396},
    {"gelu-approximate", 5.5274278, 2.0842242, 0.0096740425, -1.133406, 2.6778723},
    {"geglu", 9.6766176, 0.50477755, -1.3838867, -4.7022696, 10.326592},
    {"geglu-approximate", 5.493607, 2.069566, 0.0025196671, -1.127316, 2.6471537},
    {"swiglu", 9.0959887, 0.30181584, -1.3622874, -4.7211971, 9.5408482},
    {"linear-silu", 5.2741604, 1.9447032, -0.012257874, -1.0953497, 2.3180042},
};

FeedForwardOptions layerOptions(const std::string& kind, Bias bias = Bias::On)
{
    return {.dim = 8, .dimOut = 6, .inner = 32, .activation = activationFromName(kind), .dropout = 0.0, .bias = bias};
}

class ReferenceTest : public testing::TestWithParam<std::tuple<Expectation, c10::ScalarType>> { };

TEST_P(ReferenceTest, outputAndGradientsAreUpstreams)
{
    requireValues();
    const auto& [expected, type] = GetParam();
    FeedForward layer(layerOptions(expected.kind), onTestDevice(type));
    reference::fillParameters(layer);
    const at::Tensor input = (3 * reference::filled({2, 3, 8}, reference::kHiddenSeed)).to(type);
    const at::Tensor output = layer.forward(input);
    output.square().mean().backward();

    EXPECT_NEAR(output.norm().item<double>() / expected.outputNorm, 1.0, 1e-5);
    const at::Tensor elements = output.detach().flatten().to(at::kDouble);
    // Elements near zero are sums of terms of about 1, each rounded in the reference's float32.
    const auto tolerance = [](double value) { return 1e-5 * std::abs(value) + 5e-7; };
    EXPECT_NEAR(elements[0].item<double>(), expected.first, tolerance(expected.first));
    EXPECT_NEAR(elements[1].item<double>(), expected.second, tolerance(expected.second));
    EXPECT_NEAR(elements[35].item<double>(), expected.last, tolerance(expected.last));
    double squares = 0;
    for (const at::Tensor& parameter : layer.parameters())
        squares += parameter.grad().to(at::kDouble).square().sum().item<double>();
    EXPECT_NEAR(std::sqrt(squares) / expected.gradientNorm, 1.0, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReferenceTest,
    testing::Combine(testing::ValuesIn(kExpectations), testing::Values(at::kFloat, at::kDouble)), [](const auto& test) {
        std::string name = std::get<0>(test.param).kind;
        std::replace(name.begin(), name.end(), '-', '_');
        return name + "_" + c10::toString(std::get<1>(test.param));
    });

std::map<std::string, std::vector<std::int64_t>> shapesOf(const FeedForward& layer)
{
    std::map<std::string, std::vector<std::int64_t>> shapes;
    for (const auto& parameter : layer.named_parameters())
        shapes[parameter.key()] = parameter.value().sizes().vec();
    return shapes;
}

TEST(FeedForwardTest, parametersHaveUpstreamsNamesAndShapes)
{
    for (const Expectation& expected : kExpectations) {
        const FeedForward layer(layerOptions(expected.kind), onTestDevice(at::kFloat));
        const std::int64_t rows = isGated(layer.layerOptions().activation) ? 64 : 32;
        const std::map<std::string, std::vector<std::int64_t>> shapes{{"net.0.proj.weight", {rows, 8}},
            {"net.0.proj.bias", {rows}}, {"net.2.weight", {6, 32}}, {"net.2.bias", {6}}};
        EXPECT_EQ(shapesOf(layer), shapes) << expected.kind;
    }
}

TEST(FeedForwardTest, biasOffRemovesBothBiases)
{
    const FeedForward layer(layerOptions("geglu", Bias::Off), onTestDevice(at::kFloat));
    const std::map<std::string, std::vector<std::int64_t>> shapes{
        {"net.0.proj.weight", {64, 8}}, {"net.2.weight", {6, 32}}};
    EXPECT_EQ(shapesOf(layer), shapes);
}

TEST(FeedForwardTest, withoutBiasesTheOutputOfNothingIsNothing)
{
    requireValues();
    FeedForward layer(layerOptions("swiglu", Bias::Off), onTestDevice(at::kFloat));
    reference::fillParameters(layer);
    EXPECT_EQ(layer.forward(at::zeros({3, 8}, onTestDevice())).abs().max().item<double>(), 0.0);
}

TEST(FeedForwardTest, anyNumberOfLeadingDimensionsGivesTheSameNumbers)
{
    FeedForward layer(layerOptions("geglu"), onTestDevice(at::kDouble));
    reference::fillParameters(layer);
    const at::Tensor input = at::randn({12, 8}, onTestDevice(at::kDouble));
    const at::Tensor flat = layer.forward(input);
    EXPECT_TRUE(closeNumbers(layer.forward(input.view({3, 4, 8})), flat.view({3, 4, 6}), 1e-13, 1e-13));
    EXPECT_TRUE(closeNumbers(layer.forward(input.view({2, 3, 2, 8})), flat.view({2, 3, 2, 6}), 1e-13, 1e-13));
}

TEST(FeedForwardTest, anExecutionTakesOverUntilItIsTakenAway)
{
    requireValues();
    struct Zeros final : FeedForwardExecution {
        at::Tensor run(const FeedForward& layer, const at::Tensor& input) override
        {
            return at::zeros({input.size(0), layer.layerOptions().dimOut}, input.options());
        }
    };
    FeedForward layer(layerOptions("gelu"), onTestDevice(at::kFloat));
    reference::fillParameters(layer);
    const at::Tensor input = reference::filled({4, 8}, 1);
    const at::Tensor plain = layer.forward(input);
    layer.setExecution(std::make_unique<Zeros>());
    EXPECT_EQ(layer.forward(input).abs().max().item<double>(), 0.0);
    EXPECT_TRUE(sameNumbers(layer.forwardPlain(input), plain));
    layer.setExecution(nullptr);
    EXPECT_TRUE(sameNumbers(layer.forward(input), plain));
}

TEST(FeedForwardTest, dropoutActsInTrainingOnly)
{
    requireValues();
    FeedForwardOptions options = layerOptions("gelu");
    options.dropout = 0.5;
    FeedForward layer(options, onTestDevice(at::kFloat));
    reference::fillParameters(layer);
    const at::Tensor inner = at::ones({100, 100}, onTestDevice());
    layer.train();
    const at::Tensor dropped = layer.dropInner(inner);
    EXPECT_TRUE(at::logical_or(dropped == 0, dropped == 2).all().item<bool>());
    // 10000 draws: five standard deviations are 2.5 %.
    EXPECT_NEAR((dropped == 0).to(at::kDouble).mean().item<double>(), 0.5, 0.025);
    layer.eval();
    EXPECT_TRUE(sameNumbers(layer.dropInner(inner), inner));
}

} // namespace
} // namespace headroom::models
