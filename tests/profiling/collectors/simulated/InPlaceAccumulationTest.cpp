// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/InPlaceAccumulation.h"

#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/core/memory/RecordingBackend.h"

#include <gtest/gtest.h>

#include <optional>

namespace headroom::collectors {
namespace {

using tensor::RecordingBackend;

/// Some forward and backward pass whose tensors are gone at the end.
using Program = void (*)(const at::TensorOptions&);

// One tensor feeds three branches: three gradients of it meet.
void branches(const at::TensorOptions& options)
{
    const at::Tensor leaf = at::empty({64, 64}, options).zero_().requires_grad_();
    const at::Tensor hidden = at::gelu(leaf);
    at::Tensor loss = hidden.neg().sum();
    loss = loss + hidden.neg().sum();
    loss = loss + hidden.neg().sum();
    loss.backward();
}

// The gradients that meet are used further by their own branches' formulas: a residual connection.
void residual(const at::TensorOptions& options)
{
    const at::Tensor leaf = at::empty({64, 64}, options).zero_().requires_grad_();
    const at::Tensor weight = at::empty({64, 64}, options).zero_().requires_grad_();
    at::Tensor hidden = at::gelu(leaf);
    for (int layer = 0; layer < 3; ++layer)
        hidden = hidden + at::gelu(at::mm(hidden, weight));
    hidden.square().mean().backward();
}

// Backward formulas that add on their own account: those additions stay what they are.
void addingFormulas(const at::TensorOptions& options)
{
    const at::Tensor leaf = at::empty({64, 64}, options).zero_().requires_grad_();
    const at::Tensor hidden = at::gelu(leaf);
    (hidden * hidden + at::sigmoid(hidden) * hidden + at::softmax(hidden, -1)).sum().backward();
}

/// Formulas that write into a tensor of their own. Nothing in them is as large as it and its copy.
at::Tensor leafOf(const at::TensorOptions& options)
{
    return at::empty({64, 256}, options).zero_().requires_grad_();
}

at::Tensor zerosOf(const at::TensorOptions& options, at::IntArrayRef shape)
{
    return at::empty(shape, options.dtype(at::kLong)).zero_();
}

void greatestOfRows(const at::TensorOptions& options)
{
    std::get<0>(leafOf(options).max(-1)).sum().backward();
}

void leastOfRows(const at::TensorOptions& options)
{
    std::get<0>(leafOf(options).min(-1, true)).sum().backward();
}

void topOfRows(const at::TensorOptions& options)
{
    std::get<0>(leafOf(options).topk(2)).sum().backward();
}

void gathered(const at::TensorOptions& options)
{
    leafOf(options).gather(1, zerosOf(options, {64, 2})).sum().backward();
}

void indexed(const at::TensorOptions& options)
{
    leafOf(options).index({zerosOf(options, {2})}).sum().backward();
}

void clampedByTensors(const at::TensorOptions& options)
{
    const at::Tensor leaf = leafOf(options);
    leaf.clamp(leafOf(options), leafOf(options)).sum().backward();
}

Bytes peakOnCpu(Program program)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const tensor::CpuMemory scope(backend);
    backend->restart();
    program(at::TensorOptions().dtype(at::kFloat));
    EXPECT_EQ(backend->liveBytes(), 0);
    return backend->peakBytes();
}

Bytes peakOnMeta(Program program, tensor::OpTransformer* transformer)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const tensor::MetaMemory memory(backend);
    tensor::OpInterceptor interceptor;
    interceptor.setTransformer(transformer);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program(at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
    EXPECT_EQ(backend->liveBytes(), 0);
    return backend->peakBytes();
}

class InPlaceAccumulationTest : public testing::TestWithParam<Program> { };

TEST_P(InPlaceAccumulationTest, thePeakOnMetaIsThatOfTheCpu)
{
    registerMetaKernels();
    InPlaceAccumulation accumulation;
    EXPECT_EQ(peakOnMeta(GetParam(), &accumulation), peakOnCpu(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Programs, InPlaceAccumulationTest, testing::Values(&branches, &residual, &addingFormulas));
INSTANTIATE_TEST_SUITE_P(Formulas, InPlaceAccumulationTest,
    testing::Values(&greatestOfRows, &leastOfRows, &topOfRows, &gathered, &indexed, &clampedByTensors));

// What it is for: without it LibTorch makes a new tensor for each sum, and for what a formula writes into.
TEST(WithoutInPlaceAccumulationTest, thePeakOnMetaWouldBeHigher)
{
    registerMetaKernels();
    for (const Program program : {&branches, &greatestOfRows, &leastOfRows, &topOfRows, &gathered, &indexed})
        EXPECT_GT(peakOnMeta(program, nullptr), peakOnCpu(program));
}

TEST(InPlaceAccumulationScopeTest, additionsOutsideOfABackwardPassAreLeftAlone)
{
    InPlaceAccumulation accumulation;
    const auto backend = std::make_shared<RecordingBackend>();
    const tensor::MetaMemory memory(backend);
    tensor::OpInterceptor interceptor;
    interceptor.setTransformer(&accumulation);
    const tensor::OpInterceptor::Scope scope(interceptor);
    const torch::NoGradGuard noGradients;
    const at::Tensor left = at::empty({8}, at::TensorOptions().device(at::kMeta));
    const at::Tensor sum = at::empty({8}, left.options()).add(left);
    EXPECT_EQ(backend->births().size(), 3U);
}

} // namespace
} // namespace headroom::collectors
