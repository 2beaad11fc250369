// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/RateProbes.h"

#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/rules/AttentionRules.h"

#include <algorithm>
#include <iterator>

namespace headroom::collectors {
namespace {

using simulator::Work;
using Sizes = std::vector<std::int64_t>;

// A host has few fast cores, a GPU many slow ones: their rates change with other sizes.
struct ArithmeticSizes {
    Sizes rows;
    Sizes factors;
    Sizes sequences;
    Sizes images;
};

ArithmeticSizes arithmeticSizes(const ProbeScope& scope)
{
    if (scope.effort == protocol::CalibrationEffort::Short)
        return {{64}, {16, 64, 256}, {16, 64}, {16, 32}};
    if (scope.device.is_cpu())
        return {{1, 8, 64, 256, 512}, {16, 64, 256, 512, 1024, 2048}, {16, 64, 256, 1024}, {8, 32, 96}};
    return {{16, 128, 1024, 8192}, {64, 512, 2048, 4096, 8192}, {64, 256, 1024, 4096, 8192}, {32, 128, 512}};
}

Sizes sizesFrom(const Sizes& sizes, std::int64_t least)
{
    Sizes chosen;
    std::ranges::copy_if(sizes, std::back_inserter(chosen), [&](std::int64_t size) { return size >= least; });
    return chosen.empty() ? Sizes{least} : chosen;
}

// As a linear layer's: its weights are transposed, and other ones each time.
RateProbe productProbe(const at::TensorOptions& options, std::int64_t rows, const Sizes& sizes)
{
    RateProbe probe{Work::Product, mathTypeOf(options.dtype().toScalarType()),
        "addmm of [" + std::to_string(rows) + ", n] and [n, n]", rows, sizesFrom(sizes, rows), {}};
    probe.prepare = [options, rows](std::int64_t size) {
        const at::Tensor bias = at::randn({size}, options), left = at::randn({rows, size}, options);
        auto weights = std::make_shared<Rotation>(at::randn({size, size}, options));
        return PreparedProbe{[=] { at::addmm(bias, left, weights->next().t()); }};
    };
    return probe;
}

constexpr std::int64_t kHeads = 8;
constexpr std::int64_t kHeadDimension = 64;

// As the scores of unfused attention.
RateProbe batchedProductProbe(const at::TensorOptions& options, const Sizes& sizes)
{
    RateProbe probe{Work::BatchedProduct, mathTypeOf(options.dtype().toScalarType()),
        "bmm of [8, n, 64] and [8, 64, n]", 0, sizes, {}};
    probe.prepare = [options](std::int64_t size) {
        auto left = std::make_shared<Rotation>(at::randn({kHeads, size, kHeadDimension}, options));
        auto right = std::make_shared<Rotation>(at::randn({kHeads, size, kHeadDimension}, options));
        return PreparedProbe{[=] { at::bmm(left->next(), right->next().transpose(1, 2)); }};
    };
    return probe;
}

at::Tensor attentionInput(std::int64_t length, const at::TensorOptions& options)
{
    return at::randn({1, kHeads, length, kHeadDimension}, options);
}

RateProbe attentionProbe(const at::TensorOptions& options, const Sizes& sizes)
{
    RateProbe probe{Work::Attention, mathTypeOf(options.dtype().toScalarType()),
        "scaled_dot_product_attention of [1, 8, n, 64]", 0, sizes, {}};
    probe.prepare = [options](std::int64_t size) {
        const at::Tensor query = attentionInput(size, options), key = attentionInput(size, options),
                         value = attentionInput(size, options);
        return PreparedProbe{[=] { at::scaled_dot_product_attention(query, key, value); }};
    };
    return probe;
}

// Its kernel has a different name on each device, so that autograd calls it.
RateProbe attentionBackwardProbe(const at::TensorOptions& options, const Sizes& sizes)
{
    RateProbe probe{Work::AttentionBackward, mathTypeOf(options.dtype().toScalarType()),
        "the backward pass of scaled_dot_product_attention of [1, 8, n, 64]", 0, sizes, {}};
    probe.prepare = [options](std::int64_t size) {
        const c10::AutoGradMode gradients(true);
        std::vector<at::Tensor> inputs;
        for (int i = 0; i < 3; ++i)
            inputs.push_back(attentionInput(size, options).requires_grad_());
        const at::Tensor output = at::scaled_dot_product_attention(inputs[0], inputs[1], inputs[2]);
        const at::Tensor gradient = at::randn_like(output.detach());
        const simulator::AttentionShape shape{1, kHeads, size, size, kHeadDimension, kHeadDimension};
        return PreparedProbe{[=] { torch::autograd::grad({output}, inputs, {gradient}, true); },
            simulator::fusedAttentionBackwardFlops(shape)};
    };
    return probe;
}

constexpr std::int64_t kChannels = 16;
constexpr std::int64_t kWidth = 512;

// As a patch embedding.
RateProbe convolutionProbe(const at::TensorOptions& options, const Sizes& sizes)
{
    RateProbe probe{Work::Convolution, mathTypeOf(options.dtype().toScalarType()),
        "conv2d of [1, 16, n, n] to 512 channels, patches of 2 x 2", 0, sizes, {}};
    probe.prepare = [options](std::int64_t size) {
        const at::Tensor image = at::randn({1, kChannels, size, size}, options),
                         weight = at::randn({kWidth, kChannels, 2, 2}, options);
        return PreparedProbe{[=] { at::conv2d(image, weight, {}, at::IntArrayRef{2, 2}); }};
    };
    return probe;
}

RateProbe convolutionBackwardProbe(const at::TensorOptions& options, const Sizes& sizes)
{
    RateProbe probe{Work::ConvolutionBackward, mathTypeOf(options.dtype().toScalarType()),
        "the backward pass of conv2d of [1, 16, n, n] to 512 channels, patches of 2 x 2", 0, sizes, {}};
    probe.prepare = [options](std::int64_t size) {
        const at::Tensor image = at::randn({1, kChannels, size, size}, options),
                         weight = at::randn({kWidth, kChannels, 2, 2}, options),
                         gradient = at::randn({1, kWidth, size / 2, size / 2}, options);
        return PreparedProbe{[=] {
            at::convolution_backward(gradient, image, weight, at::OptionalIntArrayRef{}, {2, 2}, {0, 0}, {1, 1}, false,
                {0, 0}, 1, {true, true, false});
        }};
    };
    return probe;
}

} // namespace

// Attention needs no double precision here, and eight rows are what a short prompt has.
std::vector<RateProbe> arithmeticProbes(const ProbeScope& scope)
{
    const ArithmeticSizes sizes = arithmeticSizes(scope);
    std::vector<RateProbe> probes;
    for (const c10::ScalarType type : scope.types) {
        const auto options = at::TensorOptions().device(scope.device).dtype(type);
        for (const std::int64_t rows : sizes.rows)
            probes.push_back(productProbe(options, rows, sizes.factors));
        probes.push_back(batchedProductProbe(options, sizes.sequences));
        probes.push_back(attentionProbe(options, sizes.sequences));
        probes.push_back(attentionBackwardProbe(options, sizes.sequences));
        probes.push_back(convolutionProbe(options, sizes.images));
        probes.push_back(convolutionBackwardProbe(options, sizes.images));
    }
    return probes;
}

} // namespace headroom::collectors
