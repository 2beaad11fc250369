// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Convolution.h"

#include "core/autocast/AutocastRegion.h"
#include "core/base/Error.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::models {
namespace {

Conv3d patches(at::ScalarType type = at::kFloat)
{
    at::manual_seed(5);
    const torch::NoGradGuard noGradients;
    Conv3d layer({.in = 3, .out = 10, .kernel = {1, 2, 2}, .stride = {1, 2, 2}}, onTestDevice(type));
    layer.initialise();
    return layer;
}

// Where patches do not overlap, a convolution is a Linear of each patch.
TEST(ConvolutionTest, ofPatchesIsALinearOfEach)
{
    requireValues();
    const Conv3d layer = patches();
    const at::Tensor input = at::randn({2, 3, 4, 6, 8}, onTestDevice());
    const at::Tensor flat = input.view({2, 3, 4, 3, 2, 4, 2}).permute({0, 2, 3, 5, 1, 4, 6}).flatten(4);
    const at::Tensor expected = at::linear(flat, layer.weight.flatten(1), layer.bias).permute({0, 4, 1, 2, 3});
    EXPECT_TRUE(closeNumbers(layer.forward(input), expected, 1e-5, 1e-6));
}

TEST(ConvolutionTest, hasTheShapesOfItsOptions)
{
    const Conv2d layer({.in = 4, .out = 6, .kernel = {3, 5}, .stride = {2, 1}, .padding = {1, 2}, .bias = Bias::Off},
        at::TensorOptions().device(at::kMeta));
    EXPECT_EQ(layer.weight.sizes(), (std::vector<std::int64_t>{6, 4, 3, 5}));
    EXPECT_FALSE(layer.bias.defined());
    EXPECT_THROW(Conv2d({.in = 4, .out = 6, .kernel = {3}, .stride = {2, 1}}, at::kFloat), UsageError);
}

// sqrt of the elements that one output is made of: 3 channels of 2 x 2.
TEST(ConvolutionTest, startsAsPyTorchsDoes)
{
    requireValues();
    const Conv3d layer = patches();
    const double bound = 1 / std::sqrt(12.0);
    for (const at::Tensor& parameter : {layer.weight, layer.bias}) {
        EXPECT_LE(parameter.abs().max().item<double>(), bound);
        EXPECT_GE(parameter.abs().max().item<double>(), bound / 2);
    }
}

TEST(ConvolutionTest, computesInTheTypeOfWeightsThatAreOfAnother)
{
    requireValues();
    const torch::NoGradGuard noGradients;
    const Conv3d layer = patches();
    const at::Tensor input = at::randn({1, 3, 1, 4, 4}, onTestDevice()).to(at::kBFloat16);
    const at::Tensor output = layer.forward(input);
    EXPECT_EQ(output.scalar_type(), at::kBFloat16);
    EXPECT_TRUE(sameNumbers(output, layer.forward(input.to(at::kFloat)).to(at::kBFloat16)));
}

TEST(ConvolutionTest, autocastRunsItInTheRegionsType)
{
    requireValues();
    const torch::NoGradGuard noGradients;
    const Conv3d layer = patches();
    const at::Tensor input = at::randn({1, 3, 1, 4, 4}, onTestDevice());
    const tensor::AutocastRegion region(at::kBFloat16, tensor::autocastListsOf(testDevice()));
    EXPECT_EQ(layer.forward(input).scalar_type(), at::kBFloat16);
}

TEST(ConvolutionTest, weightsInEightBitsAreRefused)
{
    const torch::NoGradGuard noGradients;
    Conv3d layer = patches();
    layer.weight.set_data(layer.weight.to(at::kFloat8_e4m3fn));
    EXPECT_THROW(layer.forward(at::randn({1, 3, 1, 4, 4}, onTestDevice())), TrialError);
}

} // namespace
} // namespace headroom::models
