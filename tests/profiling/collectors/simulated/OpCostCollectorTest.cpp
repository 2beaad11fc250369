// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/OpCostCollector.h"

#include "core/config/models/FfnStackFamily.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"
#include "profiling/collectors/calibration/RateSurvey.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/SilentObserver.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

namespace headroom::collectors::op_cost_collector_test {
namespace {

std::vector<simulator::OpCost> costsOf(const std::function<void()>& program)
{
    std::vector<simulator::OpCost> costs;
    OpCostCollector collector([&](const simulator::OpCost& cost) { costs.push_back(cost); });
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program();
    return costs;
}

simulator::OpCost costOf(const std::function<void()>& program)
{
    const auto costs = costsOf(program);
    EXPECT_EQ(costs.size(), 1U);
    return costs.empty() ? simulator::OpCost{} : costs.front();
}

double flopsOf(const std::vector<simulator::OpCost>& costs)
{
    return std::accumulate(
        costs.begin(), costs.end(), 0.0, [](double sum, const auto& cost) { return sum + cost.flops; });
}

TEST(OpCostCollectorTest, productsCountTwoOperationsPerMultiplyAdd)
{
    const at::Tensor left = at::ones({3, 5}), right = at::ones({5, 7}), bias = at::ones({7});
    EXPECT_EQ(costOf([&] { at::mm(left, right); }).flops, 2.0 * 3 * 5 * 7);
    EXPECT_EQ(costOf([&] { at::addmm(bias, left, right); }).flops, 2.0 * 3 * 5 * 7);
    const at::Tensor many = at::ones({4, 3, 5}), others = at::ones({4, 5, 7}), sums = at::zeros({4, 3, 7});
    EXPECT_EQ(costOf([&] { at::bmm(many, others); }).flops, 2.0 * 4 * 3 * 5 * 7);
    EXPECT_EQ(costOf([&] { at::baddbmm(sums, many, others); }).flops, 2.0 * 4 * 3 * 5 * 7);
    at::Tensor target = at::zeros({3, 7});
    EXPECT_EQ(costOf([&] { target.addmm_(left, right); }).flops, 2.0 * 3 * 5 * 7);
    EXPECT_EQ(costOf([&] { at::mm_out(target, left, right); }).flops, 2.0 * 3 * 5 * 7);
    EXPECT_EQ(costOf([&] { at::gelu(left); }).flops, 0.0);
}

// Of 5,000 keys in a row each of their four bytes is a pass over keys and places; 4,096 are sorted in one.
TEST(OpCostCollectorTest, sortsOfLongRowsPassOverThemForEachByteOfAKey)
{
    registerMetaKernels();
    for (const std::int64_t width : {4096, 5000}) {
        const at::Tensor keys = at::empty({3, width}, at::TensorOptions().device(at::kMeta));
        const std::int64_t passes = width == 5000 ? 4 : 1;
        for (const auto& cost : {costsOf([&] { at::sort(keys); }).back(), costsOf([&] { at::sort(keys, -1); }).back(),
                 costsOf([&] { at::sort(keys, true, 1, false); }).back()})
            EXPECT_EQ(cost.bytesWritten, 3 * width * (4 + 8) * passes) << width;
    }
}

// As of the plain products that they stand for.
TEST(OpCostCollectorTest, productsInEightBitsAndOfGroupsCountAlike)
{
    registerMetaKernels();
    const auto meta = at::TensorOptions().device(at::kMeta);
    const at::Tensor left = at::empty({16, 32}, meta.dtype(at::kFloat8_e4m3fn));
    const at::Tensor right = at::empty({48, 32}, meta.dtype(at::kFloat8_e4m3fn)).t();
    const at::Tensor scale = at::empty({}, meta);
    const auto scaled = costOf([&] { at::_scaled_mm(left, right, scale, scale, {}, {}, at::kBFloat16); });
    EXPECT_EQ(scaled.flops, 2.0 * 16 * 32 * 48);
    EXPECT_EQ(scaled.type, simulator::MathType::Float8);
    EXPECT_EQ(scaled.bytesWritten, 16 * 48 * 2);
    const at::Tensor rows = at::empty({16, 32}, meta), experts = at::empty({4, 32, 24}, meta);
    const at::Tensor ends = at::empty({4}, meta.dtype(at::kInt));
    EXPECT_EQ(costOf([&] { at::_grouped_mm(rows, experts, ends); }).flops, 2.0 * 16 * 32 * 24);
    EXPECT_EQ(costOf([&] {
        at::addbmm(at::empty({3, 5}, meta), at::empty({2, 3, 4}, meta), at::empty({2, 4, 5}, meta));
    }).flops,
        2.0 * 2 * 3 * 4 * 5);
    EXPECT_EQ(costOf([&] { at::_cdist_forward(at::empty({3, 4}, meta), at::empty({5, 4}, meta), 2, {}); }).flops,
        3.0 * 3 * 5 * 4);
}

// Of the selected rows alone, not of the tensor that they are from.
TEST(OpCostCollectorTest, selectionReadsWhatItSelects)
{
    const at::Tensor table = at::ones({1000, 8}), rows = at::zeros({5}, at::kLong);
    for (const simulator::OpCost& cost :
        {costOf([&] { at::index_select(table, 0, rows); }), costOf([&] { at::index(table, {rows}); })}) {
        EXPECT_EQ(cost.bytesRead, 5 * 8 + 5 * 8 * 4);
        EXPECT_EQ(cost.bytesWritten, 5 * 8 * 4);
    }
}

// A norm reads its input and writes a result of the same size, beside numbers for each channel.
TEST(OpCostCollectorTest, normsOfImagesAreNormalisations)
{
    registerMetaKernels();
    const auto meta = at::TensorOptions().device(at::kMeta);
    const at::Tensor image = at::empty({2, 4, 8, 8}, meta), weight = at::empty({4}, meta);
    const auto norm = costOf([&] { at::native_group_norm(image, weight, weight, 2, 4, 64, 2, 1e-5); });
    EXPECT_EQ(norm.bytesRead, 2 * 4 * 64 * 4 + 2 * 16);
    EXPECT_EQ(norm.bytesWritten, 2 * 4 * 64 * 4 + 2 * 16);
    EXPECT_EQ(norm.work, simulator::Work::Normalisation);
    const auto batch = costOf([&] { at::native_batch_norm(image, weight, weight, weight, weight, true, 0.1, 1e-5); });
    EXPECT_EQ(batch.work, simulator::Work::Normalisation);
}

TEST(OpCostCollectorTest, eachCostSaysWhatKindOfWorkItIs)
{
    using simulator::Work;
    const at::Tensor left = at::ones({3, 5}), right = at::ones({5, 7}), bias = at::ones({7});
    const simulator::OpCost product = costOf([&] { at::addmm(bias, left, right); });
    EXPECT_EQ(product.work, Work::Product);
    EXPECT_EQ(product.smallestDimension, 3);
    EXPECT_EQ(costOf([&] { at::gelu(left); }).work, Work::Gelu);
    EXPECT_EQ(costOf([&] { at::add(left, left); }).work, Work::Elementwise);
    EXPECT_EQ(costOf([&] { left.sum(); }).work, Work::Reduction);
    EXPECT_EQ(costOf([&] { left.zero_(); }).work, Work::Fill);
    EXPECT_EQ(costOf([&] { left.clone(); }).work, Work::Copy);
    EXPECT_EQ(costsOf([&] { left.t().contiguous(); }).back().work, Work::Rearrangement);
    EXPECT_EQ(costOf([&] { left.to(at::kBFloat16); }).work, Work::Cast);
    const simulator::OpCost cast = costOf([&] { left.to(at::kFloat8_e4m3fn); });
    EXPECT_EQ(cast.work, Work::Float8Cast);
    EXPECT_EQ(cast.type, simulator::MathType::Float8);
    const at::Tensor small = left.to(at::kFloat8_e4m3fn);
    EXPECT_EQ(costOf([&] { left.copy_(small); }).work, Work::Float8Cast);
}

TEST(OpCostCollectorTest, anOpOnListsHasAPartForEachTensor)
{
    const std::vector<at::Tensor> values{at::ones({2, 8}), at::ones({3, 8})};
    EXPECT_EQ(costOf([&] { at::_foreach_mul_(values, 2); }).parts, 2);
    EXPECT_EQ(costOf([&] { at::add(values[0], values[0]); }).parts, 1);
}

TEST(OpCostCollectorTest, viewsAreReportedOnlyIfAskedFor)
{
    const at::Tensor tensor = at::ones({3, 5});
    EXPECT_TRUE(costsOf([&] { tensor.t(); }).empty());
    const auto seen = collectors::costsOf([&] { tensor.t(); });
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen.front().launches, 0);
}

TEST(OpCostCollectorTest, trafficIsWhatIsReadAndWritten)
{
    const at::Tensor left = at::ones({3, 5}), right = at::ones({5, 7}), bias = at::ones({7});
    const simulator::OpCost cost = costOf([&] { at::addmm(bias, left, right); });
    EXPECT_EQ(cost.bytesRead, 4 * (7 + 15 + 35));
    EXPECT_EQ(cost.bytesWritten, 4 * 21);
    EXPECT_EQ(cost.launches, 1);
}

TEST(OpCostCollectorTest, opsThatChangeListsInPlaceWriteWhatTheyChange)
{
    const std::vector<at::Tensor> values{at::ones({2, 8}), at::ones({3, 8})},
        others{at::ones({2, 8}), at::ones({3, 8})};
    const simulator::OpCost sum = costOf([&] { at::_foreach_add_(values, others); });
    EXPECT_EQ(sum.bytesRead, 4 * 80);
    EXPECT_EQ(sum.bytesWritten, 4 * 40);
    const simulator::OpCost step =
        costOf([&] { at::_fused_sgd_(values, others, {}, 0.0, 0.0, 0.1, 0.0, false, false, true); });
    EXPECT_EQ(step.bytesRead, 4 * 80);
    EXPECT_EQ(step.bytesWritten, 4 * 40) << "gradients stay as they are";
}

TEST(OpCostCollectorTest, aBroadcastElementIsCountedOnce)
{
    const at::Tensor matrix = at::ones({6, 8}), row = at::ones({8});
    EXPECT_EQ(costOf([&] { at::add(matrix, row); }).bytesRead, 4 * (48 + 8));
    const at::Tensor expanded = row.expand({6, 8});
    EXPECT_EQ(costOf([&] { at::add(matrix, expanded); }).bytesRead, 4 * (48 + 8));
    const at::Tensor scalar = at::ones({}).expand({6, 8});
    EXPECT_EQ(costOf([&] { at::neg(scalar); }).bytesRead, 4);
}

TEST(OpCostCollectorTest, listsOfTensorsAreCountedWhole)
{
    const at::Tensor first = at::ones({2, 8}), second = at::ones({3, 8});
    const simulator::OpCost cost = costOf([&] { at::cat({first, second}, 0); });
    EXPECT_EQ(cost.bytesRead, 4 * 40);
    EXPECT_EQ(cost.bytesWritten, 4 * 40);
}

TEST(OpCostCollectorTest, ofATableOnlyTheRowsThatAreLookedUpAreRead)
{
    const KernelRules rules(profiles().parseSimulatedDevice("sim:h100-80gb"));
    const KernelRules::Scope scope(rules);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    const at::Tensor table = at::empty({1000, 8}, options), ids = at::empty({2, 3}, options.dtype(at::kLong));
    const simulator::OpCost lookup = costOf([&] { at::embedding(table, ids); });
    EXPECT_EQ(lookup.bytesRead, 6 * 8 + 6 * 8 * 4);
    EXPECT_EQ(lookup.bytesWritten, 6 * 8 * 4);
    const at::Tensor logs = at::empty({6, 1000}, options), labels = at::empty({6}, options.dtype(at::kLong));
    EXPECT_EQ(
        costOf([&] { at::nll_loss_forward(logs, labels, {}, at::Reduction::Mean, -100); }).bytesRead, 6 * 8 + 6 * 4);
}

// Of n x n pairs n (n + 1) / 2 are left. Kernels that are fused leave the others out; plain products do not.
TEST(OpCostCollectorTest, fusedAttentionLeavesOutWhatACausalMaskDoes)
{
    const KernelRules rules(profiles().parseSimulatedDevice("sim:a100-80gb"));
    const KernelRules::Scope scope(rules);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
    const at::Tensor x = at::empty({1, 2, 32, 64}, options);
    EXPECT_EQ(flopsOf(costsOf([&] { at::scaled_dot_product_attention(x, x, x, {}, 0.0, true); })),
        4.0 * 2 * 64 * (32 * 33 / 2));
    const at::Tensor single = x.to(at::kDouble);
    EXPECT_EQ(flopsOf(costsOf([&] { at::scaled_dot_product_attention(single, single, single, {}, 0.0, true); })),
        4.0 * 2 * 64 * 32 * 32);
}

TEST(OpCostCollectorTest, viewsAndUninitialisedTensorsCostNothing)
{
    const at::Tensor matrix = at::ones({6, 8});
    EXPECT_TRUE(costsOf([&] {
        matrix.t().narrow(0, 1, 2).view({2, 6}).unsqueeze(0).expand({3, 2, 6}).detach().chunk(2, -1);
        at::empty({100});
        at::empty_like(matrix);
    }).empty());
}

TEST(OpCostCollectorTest, theTypeIsThatOfTheResult)
{
    const auto typeOf = [](c10::ScalarType type) {
        const at::Tensor factor = at::ones({4, 4}, type);
        return costOf([&] { at::mm(factor, factor); }).type;
    };
    EXPECT_EQ(typeOf(at::kDouble), simulator::MathType::Float64);
    EXPECT_EQ(typeOf(at::kFloat), simulator::MathType::Float32) << "TF32 is off by default";
    EXPECT_EQ(typeOf(at::kBFloat16), simulator::MathType::Bfloat16);
    EXPECT_EQ(typeOf(at::kHalf), simulator::MathType::Float16);
}

double flopsOfStep(const config::Trial& trial)
{
    const config::Configuration& configuration = trial.configuration;
    const at::TensorOptions options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    const auto model = models::buildModel(configuration, options);
    techniques::TechniqueStack techniques(configuration);
    techniques.apply(*model);
    SilentObserver phases;
    training::StepRunner runner(
        *model, techniques.hooks(), configuration.workload, models::makeInputs(configuration, options), phases);
    return flopsOf(costsOf([&] { runner.run(0); }));
}

// The backends return random state of another type beside the output.
TEST(OpCostCollectorTest, attentionIsCostedInTheTypeOfItsInput)
{
    for (const char* device : {"sim:a100-80gb@torch-2.5", "sim:h100-80gb@torch-2.11"}) {
        const KernelRules rules(profiles().parseSimulatedDevice(device));
        const KernelRules::Scope scope(rules);
        const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
        const at::Tensor x = at::empty({1, 2, 32, 64}, options);
        const at::Tensor mask = at::empty({1, 1, 1, 32}, options);
        double flops = 0;
        for (const simulator::OpCost& cost : costsOf([&] { at::scaled_dot_product_attention(x, x, x, mask); })) {
            EXPECT_TRUE(cost.flops == 0 || cost.type == simulator::MathType::Bfloat16) << device;
            flops += cost.flops;
        }
        EXPECT_EQ(flops, 4.0 * 2 * 32 * 32 * 64) << device;
    }
}

TEST(OpCostCollectorTest, theFlopsOfAStepAreTheCataloguesClosedForm)
{
    const config::ModelFamily family = config::ffnStackFamily();
    for (const std::string& activation : config::activationKinds())
        for (const bool bias : {true, false})
            for (const char* step : {"inference", "forward_backward", "train"})
                for (const char* notation : {"off", "4", "tokens:4"}) {
                    config::Trial trial = trialOf("sim:cpu",
                        {{"num_layers", 3}, {"dim", 24}, {"dim_out", 10}, {"mult", 3}, {"bias", bias},
                            {"activation_fn", activation}},
                        {{"step", step}, {"batch", 2}, {"sequence_length", 10}});
                    split(trial, notation);
                    const config::Configuration& configuration = trial.configuration;
                    EXPECT_EQ(flopsOfStep(trial),
                        family.flopsPerStep(
                            configuration.modelFields, configuration.workload.shapes, configuration.workload.step))
                        << activation << ", " << step << ", " << notation << (bias ? "" : ", no bias");
                }
}

// Attention as plain products: a kernel's backward forms the scores once more.
TEST(OpCostCollectorTest, theFlopsOfTransformersAreTheCataloguesClosedForm)
{
    registerMetaKernels();
    for (const char* model : {"ltx-video-tiny", "wan-tiny"})
        for (const char* step : {"inference", "forward_backward"}) {
            config::Trial trial = trialOfModel(model, "sim:cpu", {}, {{"step", step}});
            config::Configuration& configuration = trial.configuration;
            choose(configuration, "attention", "math");
            EXPECT_EQ(flopsOfStep(trial),
                config::findModel(model, "").family->flopsPerStep(
                    configuration.modelFields, configuration.workload.shapes, configuration.workload.step))
                << model << ", " << step;
        }
}

} // namespace
} // namespace headroom::collectors::op_cost_collector_test
