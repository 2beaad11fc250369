// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastRegion.h"

#include "core/base/Error.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/autocast/LibTorchsAutocast.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace headroom::tensor::autocast_region_test {
namespace {

/// The ops that run below autograd, with the type of their first result: "mm Float".
class RunOps final : public OpObserver {
public:
    void before(const OpCall&) override { }
    void after(const OpCall& call) override
    {
        if (call.op.schema().returns().empty())
            return;
        const c10::IValue& result = call.stack.back();
        const bool hasType = result.isTensor() && result.toTensor().defined();
        ops.push_back(call.op.schema().name().substr(6)
            + (hasType ? std::string(" ") + c10::toString(result.toTensor().scalar_type()) : ""));
    }
    std::vector<std::string> ops;
};

std::vector<std::string> opsOf(const std::function<void()>& action)
{
    OpInterceptor interceptor;
    RunOps seen;
    interceptor.addObserver(seen);
    const OpInterceptor::Scope scope(interceptor);
    action();
    return seen.ops;
}

using Computation = std::function<at::Tensor()>;

struct NamedComputation {
    const char* name;
    Computation compute;
};

/// Ops of each policy of the lists, and some of none, over tensors of different types.
std::vector<NamedComputation> computationsOf(const at::Tensor& wide, const at::Tensor& reduced)
{
    const at::Tensor square = wide.matmul(wide.t()).detach();
    return {{"linear", [=] { return at::linear(wide, reduced); }},
        {"matmul", [=] { return at::matmul(wide, wide.t()); }}, {"mm", [=] { return at::mm(wide, reduced.t()); }},
        {"bmm", [=] { return at::bmm(wide.unsqueeze(0), wide.t().unsqueeze(0)); }},
        {"addmm", [=] { return at::addmm(square, wide, wide.t()); }},
        {"einsum", [=] { return at::einsum("ij,kj->ik", {wide, reduced}); }},
        {"attention",
            [=] {
                const at::Tensor heads = wide.view({1, 1, 4, 8});
                return at::scaled_dot_product_attention(heads, reduced.view({1, 1, 4, 8}), heads);
            }},
        {"cat", [=] { return at::cat({wide, reduced}); }},
        {"cat of one type", [=] { return at::cat({reduced, reduced}); }},
        {"stack", [=] { return at::stack({reduced, wide}); }},
        {"mse_loss", [=] { return at::mse_loss(reduced, reduced + 1); }},
        {"prod", [=] { return at::prod(reduced, 1); }}, {"layer_norm", [=] { return at::layer_norm(reduced, {8}); }},
        {"rms_norm", [=] { return at::rms_norm(reduced, {8}); }}, {"softmax", [=] { return at::softmax(reduced, 1); }},
        {"sum", [=] { return reduced.sum(); }}, {"rsqrt", [=] { return at::rsqrt(at::abs(reduced) + 1); }},
        {"add", [=] { return wide + reduced; }},
        {"double", [=] { return at::mm(wide.to(at::kDouble), wide.to(at::kDouble).t()); }}};
}

TEST(AutocastRegionTest, computesWithTheListsOfTheDeviceWhatLibTorchsOwnAutocastComputes)
{
    requireValues();
    at::manual_seed(3);
    const at::Tensor wide = at::randn({4, 8}, onTestDevice()).requires_grad_();
    for (const c10::ScalarType type : {at::kBFloat16, at::kHalf})
        for (const auto& [name, compute] : computationsOf(wide, at::randn({4, 8}, onTestDevice()).to(type))) {
            at::Tensor own, expected;
            const auto ownOps = opsOf([&, &compute = compute] {
                const AutocastRegion region(type, autocastListsOf(testDevice()));
                own = compute();
            });
            const auto expectedOps = opsOf([&, &compute = compute] {
                const LibTorchsAutocast region(type);
                expected = compute();
            });
            EXPECT_EQ(ownOps, expectedOps) << name;
            ASSERT_EQ(own.scalar_type(), expected.scalar_type()) << name;
            EXPECT_TRUE(sameNumbers(own, expected)) << name;
        }
}

// Which ops there are is LibTorch's; that each has a policy, and which, is ours.
TEST(AutocastListsTest, holdEveryOpThatLibTorchCasts)
{
    for (const auto& [lists, key] : {std::pair(AutocastLists::Cpu, c10::DispatchKey::AutocastCPU),
             std::pair(AutocastLists::Cuda, c10::DispatchKey::AutocastCUDA)}) {
        const auto ops = c10::Dispatcher::singleton().getRegistrationsForDispatchKey(key);
        EXPECT_GT(ops.size(), 100U);
        for (const c10::OperatorName& op : ops)
            EXPECT_TRUE(autocastPolicy(lists, op)) << c10::toString(op);
    }
}

TEST(AutocastListsTest, ofCudaAndTheCpuDiffer)
{
    const auto cpu = [](const char* op, const char* overload = "") {
        return autocastPolicy(AutocastLists::Cpu, {op, overload});
    };
    const auto cuda = [](const char* op, const char* overload = "") {
        return autocastPolicy(AutocastLists::Cuda, {op, overload});
    };
    using enum AutocastPolicy;
    for (const char* op : {"aten::linear", "aten::matmul", "aten::bmm", "aten::scaled_dot_product_attention"}) {
        EXPECT_EQ(cpu(op), LowerPrecision) << op;
        EXPECT_EQ(cuda(op), LowerPrecision) << op;
    }
    for (const char* op : {"aten::einsum", "aten::convolution", "aten::cudnn_convolution"}) {
        EXPECT_EQ(cpu(op), std::nullopt) << op;
        EXPECT_EQ(cuda(op), LowerPrecision) << op;
    }
    for (const char* op :
        {"aten::layer_norm", "aten::group_norm", "aten::rsqrt", "aten::exp", "aten::native_layer_norm"}) {
        EXPECT_EQ(cpu(op), std::nullopt) << op;
        EXPECT_EQ(cuda(op), Float32) << op;
    }
    EXPECT_EQ(cuda("aten::pow", "Tensor_Scalar"), Float32);
    EXPECT_EQ(cuda("aten::pow", "Tensor_Tensor"), Float32);
    EXPECT_EQ(cuda("aten::softmax", "int"), Float32Result);
    EXPECT_EQ(cuda("aten::sum", "dim_IntList"), Float32Result);
    EXPECT_EQ(cuda("aten::norm", "ScalarOpt_dim"), Float32Appended);
    EXPECT_EQ(cuda("aten::addcmul"), Widest);
    EXPECT_EQ(cuda("aten::binary_cross_entropy"), Refused);
    EXPECT_EQ(cuda("aten::cat"), std::nullopt);
    EXPECT_EQ(cpu("aten::cat"), Widest);
    EXPECT_EQ(cpu("aten::mse_loss"), Float32);
    EXPECT_EQ(cuda("aten::mse_loss"), Float32);
    EXPECT_EQ(cuda("aten::rms_norm"), std::nullopt) << "its parts are";
    EXPECT_EQ(cuda("aten::add", "Tensor"), std::nullopt);
}

at::Tensor onMeta(at::IntArrayRef shape, c10::ScalarType type)
{
    return at::empty(shape, at::TensorOptions().device(at::kMeta).dtype(type));
}

// LibTorch casts nothing on meta. What each policy of CUDA's lists gives is asked on meta, where no GPU is needed.
TEST(AutocastRegionTest, castsByTheListsOfCudaOnMeta)
{
    const at::Tensor reduced = onMeta({4, 8}, at::kBFloat16), wide = onMeta({4, 8}, at::kFloat);
    const AutocastRegion region(at::kBFloat16, AutocastLists::Cuda);
    EXPECT_EQ(at::rsqrt(reduced).scalar_type(), at::kFloat);
    EXPECT_EQ(reduced.pow(2).scalar_type(), at::kFloat);
    EXPECT_EQ(reduced.square().scalar_type(), at::kFloat) << "made of pow";
    EXPECT_EQ(at::softmax(reduced, -1).scalar_type(), at::kFloat);
    EXPECT_EQ(at::softmax(reduced, -1, at::kBFloat16).scalar_type(), at::kBFloat16) << "what the caller gave stands";
    EXPECT_EQ(reduced.sum().scalar_type(), at::kFloat);
    EXPECT_EQ(reduced.mean().scalar_type(), at::kBFloat16) << "in no list";
    EXPECT_EQ(reduced.norm(2, 1).scalar_type(), at::kFloat);
    EXPECT_EQ(at::linear(wide, wide).scalar_type(), at::kBFloat16);
    EXPECT_EQ(at::einsum("ij,kj->ik", {wide, wide}).scalar_type(), at::kBFloat16);
    EXPECT_EQ(at::addcmul(reduced, wide, reduced).scalar_type(), at::kFloat);
    EXPECT_EQ(at::gelu(reduced).scalar_type(), at::kBFloat16);
    EXPECT_EQ((reduced + wide).scalar_type(), at::kFloat) << "promotion is the op's own";
    EXPECT_EQ(at::mm(onMeta({4, 8}, at::kDouble), onMeta({8, 4}, at::kDouble)).scalar_type(), at::kDouble);
    EXPECT_EQ(at::rsqrt(onMeta({4}, at::kDouble)).scalar_type(), at::kDouble);
}

TEST(AutocastRegionTest, leavesTensorsOfOtherDevicesAlone)
{
    const AutocastRegion region(at::kBFloat16, AutocastLists::Cuda);
    EXPECT_EQ(at::linear(at::ones({2, 2}), at::ones({2, 2})).scalar_type(), at::kFloat);
}

// Below the op that is in a list there is no autocast: what a norm is made of runs as it asks for.
TEST(AutocastRegionTest, doesNotReachIntoTheOpsItCasts)
{
    const at::Tensor wide = onMeta({4, 8}, at::kFloat);
    const auto ops = opsOf([&] {
        const AutocastRegion region(at::kHalf, AutocastLists::Cuda);
        at::cosine_similarity(wide, wide, 1);
    });
    for (const std::string& op : ops)
        EXPECT_EQ(op.find("Half"), std::string::npos) << op;
}

std::size_t castsIn(const std::vector<std::string>& ops)
{
    return static_cast<std::size_t>(
        std::count_if(ops.begin(), ops.end(), [](const std::string& op) { return op.starts_with("_to_copy"); }));
}

// Kept: of leaves that are trained, in float32, for ops in the region's type. Everything else is cast at each use.
TEST(AutocastRegionTest, keepsCastsOfTrainedParametersInFloat32)
{
    const at::Tensor input = onMeta({4, 8}, at::kFloat);
    const auto castsOf = [&](const at::Tensor& weight) {
        return castsIn(opsOf([&] {
            const AutocastRegion region(at::kBFloat16, AutocastLists::Cuda);
            at::matmul(input, weight.t());
            at::einsum("ij,kj->ik", {input, weight});
            at::linear(input, weight);
        }));
    };
    const at::Tensor trained = onMeta({4, 8}, at::kFloat).requires_grad_();
    // The input three times, the weight's transposed view, and the weight once for einsum and linear.
    EXPECT_EQ(castsOf(trained), 3U + 1U + 1U);
    EXPECT_EQ(castsOf(trained.detach()), 3U + 3U) << "frozen";
    EXPECT_EQ(castsOf(trained * 1), 3U + 3U) << "no leaf";
    EXPECT_EQ(castsOf(onMeta({4, 8}, at::kBFloat16).requires_grad_()), 3U) << "of 16 bits already";
    EXPECT_EQ(castsIn(opsOf([&] {
        const torch::NoGradGuard noGradients;
        const AutocastRegion region(at::kBFloat16, AutocastLists::Cuda);
        at::linear(input, trained);
        at::linear(input, trained);
    })),
        3U)
        << "without gradients as well";
}

TEST(AutocastRegionTest, opsInFloat32CastSixteenBitParametersEachTime)
{
    const at::Tensor weight = onMeta({8}, at::kBFloat16).requires_grad_();
    const at::Tensor input = onMeta({4, 8}, at::kBFloat16);
    EXPECT_EQ(castsIn(opsOf([&] {
        const AutocastRegion region(at::kBFloat16, AutocastLists::Cuda);
        at::pow(input, weight);
        at::pow(input, weight);
    })),
        4U);
}

TEST(AutocastRegionTest, refusesToChooseBetweenSixteenBitTypes)
{
    const at::Tensor reduced = onMeta({4, 8}, at::kBFloat16);
    const AutocastRegion region(at::kHalf, AutocastLists::Cpu);
    EXPECT_EQ(at::cat({onMeta({4, 8}, at::kFloat), reduced}).scalar_type(), at::kFloat);
    EXPECT_THROW(at::cat({reduced, reduced}), TrialError);
}

TEST(AutocastRegionTest, nestsAndEnds)
{
    const at::Tensor tensor = onMeta({4, 8}, at::kFloat);
    const auto productType = [&] { return at::linear(tensor, tensor).scalar_type(); };
    EXPECT_EQ(productType(), at::kFloat);
    {
        const AutocastRegion outer(at::kBFloat16, AutocastLists::Cuda);
        {
            const AutocastRegion off(std::nullopt, AutocastLists::Cuda);
            EXPECT_EQ(productType(), at::kFloat);
            const AutocastRegion inner(at::kHalf, AutocastLists::Cpu);
            EXPECT_EQ(productType(), at::kHalf);
        }
        EXPECT_EQ(productType(), at::kBFloat16);
        EXPECT_EQ(AutocastRegion::lists(), AutocastLists::Cuda);
    }
    EXPECT_EQ(productType(), at::kFloat);
    EXPECT_EQ(AutocastRegion::type(), std::nullopt);
}

TEST(AutocastListsTest, onMetaAreThoseOfTheDeviceThatIsSimulated)
{
    EXPECT_EQ(autocastListsOf(at::kCPU), AutocastLists::Cpu);
    EXPECT_EQ(autocastListsOf(at::Device(at::kCUDA, 0)), AutocastLists::Cuda);
    EXPECT_EQ(autocastListsOf(at::kMeta), AutocastLists::Cuda);
    {
        const MetaAutocastLists simulated(AutocastLists::Cpu);
        EXPECT_EQ(autocastListsOf(at::kMeta), AutocastLists::Cpu);
    }
    EXPECT_EQ(autocastListsOf(at::kMeta), AutocastLists::Cuda);
}

} // namespace
} // namespace headroom::tensor::autocast_region_test
