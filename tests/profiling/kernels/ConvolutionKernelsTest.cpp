// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/collectors/simulated/OpCostCollector.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::collectors::convolution_kernels_test {
namespace {

/// A convolution over two or three dimensions of space, drawn at random.
struct Drawn {
    explicit Drawn(std::mt19937& random)
    {
        const auto between = [&](unsigned least, unsigned most) {
            return static_cast<std::int64_t>(least + random() % (most - least + 1));
        };
        groups = between(1, 2);
        isTransposed = between(0, 1) == 1;
        const std::int64_t in = groups * between(1, 4), out = groups * between(1, 4);
        input = {between(1, 2), in};
        weight = isTransposed ? std::vector{in, out / groups} : std::vector{out, in / groups};
        for (std::int64_t axis = between(2, 3); axis > 0; --axis) {
            input.push_back(between(7, 12));
            weight.push_back(between(1, 3));
            stride.push_back(between(1, 3));
            padding.push_back(between(0, 1));
            dilation.push_back(between(1, 2));
            outputPadding.push_back(0);
        }
    }

    at::Tensor run(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) const
    {
        return at::convolution(x, w, b, stride, padding, dilation, isTransposed, outputPadding, groups);
    }

    std::int64_t outputs() const { return isTransposed ? weight[1] * groups : weight[0]; }

    std::vector<std::int64_t> input, weight, stride, padding, dilation, outputPadding;
    std::int64_t groups = 1;
    bool isTransposed = false;
};

/// Shapes of the result and of the three gradients.
std::vector<std::vector<std::int64_t>> shapesOn(c10::Device device, const Drawn& drawn)
{
    const auto options = at::TensorOptions().device(device);
    const auto leaf = [&](at::IntArrayRef shape) { return at::ones(shape, options).requires_grad_(true); };
    const at::Tensor x = leaf(drawn.input), w = leaf(drawn.weight), b = leaf({drawn.outputs()});
    const at::Tensor result = drawn.run(x, w, b);
    result.sum().backward();
    return {result.sizes().vec(), x.grad().sizes().vec(), w.grad().sizes().vec(), b.grad().sizes().vec()};
}

TEST(ConvolutionKernelsTest, shapesOnMetaAreThoseOfTheCpu)
{
    registerMetaKernels();
    std::mt19937 random(4);
    for (int i = 0; i < 60; ++i) {
        const Drawn drawn(random);
        EXPECT_EQ(shapesOn(at::kMeta, drawn), shapesOn(at::kCPU, drawn)) << i;
    }
}

// padding = "valid" hands on a list of one nought, whatever the number of axes.
TEST(ConvolutionKernelsTest, aNumberMayStandForAllAxes)
{
    registerMetaKernels();
    Drawn drawn = [] {
        std::mt19937 random(4);
        return Drawn(random);
    }();
    drawn.input = {2, 3, 16, 17, 18};
    drawn.weight = {4, 3, 2, 3, 4};
    drawn.groups = 1;
    drawn.isTransposed = false;
    drawn.stride = drawn.dilation = {2};
    drawn.padding = drawn.outputPadding = {0};
    EXPECT_EQ(shapesOn(at::kMeta, drawn), shapesOn(at::kCPU, drawn));
    const auto valid = [](c10::Device device) {
        const at::Tensor x = at::ones({2, 3, 32, 48}, device),
                         w = at::ones({8, 3, 16, 16}, device).requires_grad_(true);
        return at::conv2d(x, w, {}, at::IntArrayRef{16}, "valid").sizes().vec();
    };
    EXPECT_EQ(valid(at::kMeta), valid(at::kCPU));
}

double flopsOf(const std::function<void()>& action)
{
    double flops = 0;
    OpCostCollector collector([&](const simulator::OpCost& cost) { flops += cost.flops; });
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    const tensor::OpInterceptor::Scope scope(interceptor);
    action();
    return flops;
}

// As of the product that it is: patches of 3 x 2 x 2 elements, 10 channels; each gradient once more.
TEST(ConvolutionKernelsTest, operationsAreThoseOfTheProduct)
{
    const auto options = at::TensorOptions().device(at::kMeta);
    at::Tensor x = at::empty({2, 3, 4, 6, 8}, options);
    const at::Tensor w = at::empty({10, 3, 1, 2, 2}, options).requires_grad_(true);
    const at::Tensor b = at::empty({10}, options).requires_grad_(true);
    const std::vector<std::int64_t> stride{1, 2, 2}, noughts{0, 0, 0}, ones{1, 1, 1};
    const auto run = [&] { return at::convolution(x, w, b, stride, noughts, ones, /*transposed=*/false, noughts, 1); };
    const double product = 2.0 * 2 * 4 * 3 * 4 * 10 * 12;
    EXPECT_EQ(flopsOf([&] { run(); }), product);
    EXPECT_EQ(flopsOf([&] { run().sum().backward(); }), 2 * product);
    x.requires_grad_(true);
    EXPECT_EQ(flopsOf([&] { run().sum().backward(); }), 3 * product);
}

} // namespace
} // namespace headroom::collectors::convolution_kernels_test
