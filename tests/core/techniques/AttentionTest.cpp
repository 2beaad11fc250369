// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Attention.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::techniques::attention_choice_test {
namespace {

config::Configuration configurationOf(const std::string& attention, const std::string& checkpointing = "none")
{
    config::Configuration configuration = config::defaultConfiguration("ltx-video-tiny", "");
    for (const auto& [key, notation] : {std::pair{"attention", attention}, {"checkpointing", checkpointing}})
        configuration.techniques[key] = config::makeSetting(config::findTechnique(key, ""), notation, {}, key);
    return configuration;
}

struct StepResult {
    std::vector<at::Tensor> tensors; ///< output, then gradients
    Counters counters;
    std::string effective;
};

StepResult stepOf(const config::Configuration& configuration, c10::ScalarType type)
{
    at::manual_seed(5);
    const auto model = models::buildModel(configuration, onTestDevice(type));
    TechniqueStack stack(configuration);
    stack.apply(*model);
    stack.hooks().beginStep();
    const at::Tensor output = model->forward(models::makeInputs(configuration, onTestDevice(type)));
    output.square().mean().backward();
    StepResult result{{output.detach()}, stack.counters().at("attention"), stack.effective().at("attention")};
    for (const at::Tensor& parameter : model->parameters())
        result.tensors.push_back(parameter.grad());
    return result;
}

StepResult plainStep(c10::ScalarType type)
{
    const config::Configuration configuration = configurationOf("auto");
    at::manual_seed(5);
    const auto model = models::buildModel(configuration, onTestDevice(type));
    const at::Tensor output = model->forward(models::makeInputs(configuration, onTestDevice(type)));
    output.square().mean().backward();
    StepResult result{{output.detach()}, {}, {}};
    for (const at::Tensor& parameter : model->parameters())
        result.tensors.push_back(parameter.grad());
    return result;
}

double relativeDistance(const at::Tensor& tensor, const at::Tensor& expected)
{
    const at::Tensor reference = expected.to(at::kDouble);
    return ((tensor.to(at::kDouble) - reference).norm() / reference.norm().clamp_min(1e-30)).item<double>();
}

void expectClose(const StepResult& result, const StepResult& expected, double tolerance)
{
    ASSERT_EQ(result.tensors.size(), expected.tensors.size());
    for (std::size_t i = 0; i < expected.tensors.size(); ++i)
        EXPECT_LE(relativeDistance(result.tensors[i], expected.tensors[i]), tolerance) << "tensor " << i;
}

// The tiny model has one block more than none, so that its two attentions run once each a block.
std::int64_t callsOf(const Counters& counters)
{
    std::int64_t sum = 0;
    for (const auto& [kernel, calls] : counters)
        sum += calls;
    return sum;
}

TEST(AttentionTest, autoIsBitEqualToThePlainModelAndCountsWhatRan)
{
    requireValues();
    const StepResult plain = plainStep(at::kFloat);
    const StepResult counted = stepOf(configurationOf("auto"), at::kFloat);
    ASSERT_EQ(plain.tensors.size(), counted.tensors.size());
    for (std::size_t i = 0; i < plain.tensors.size(); ++i)
        EXPECT_TRUE(sameNumbers(plain.tensors[i], counted.tensors[i])) << i;
    EXPECT_GE(callsOf(counted.counters), 2);
    EXPECT_THAT(counted.effective, testing::StartsWith("auto; calls in a step: "));
    if (!testDevice().is_cpu())
        return;
    EXPECT_EQ(counted.counters.at("flash"), callsOf(counted.counters));
    EXPECT_EQ(
        counted.effective, "auto; calls in a step: " + std::to_string(counted.counters.at("flash")) + " by flash");
}

// Both kernels form the same sums in another order; rounding of each type through a few layers, a few hundred
// units in the last place at most; gradients of single small tensors add up the least.
TEST(AttentionTest, mathGivesTheSameNumbersByItsOwnKernel)
{
    requireValues();
    for (const auto& [type, tolerance] : {std::pair{at::kDouble, 1e-12}, {at::kFloat, 1e-4}, {at::kBFloat16, 0.1}}) {
        const StepResult math = stepOf(configurationOf("math"), type);
        EXPECT_EQ(math.counters.at("math"), callsOf(math.counters));
        EXPECT_GE(math.counters.at("math"), 2);
        expectClose(math, plainStep(type), tolerance);
    }
}

TEST(AttentionTest, whatAKernelCannotDoGoesToTheOneThatAutoTakes)
{
    requireCpu("it lacks these kernels");
    for (const char* kernel : {"efficient", "cudnn"}) {
        const StepResult result = stepOf(configurationOf(kernel), at::kFloat);
        EXPECT_EQ(result.counters.at(kernel), 0);
        EXPECT_EQ(result.counters.at("flash"), callsOf(result.counters));
        EXPECT_THAT(result.effective, testing::StartsWith(std::string(kernel) + " where it can; calls in a step: "));
        expectClose(result, plainStep(at::kFloat), 0);
    }
}

/// Counts how often LibTorch is asked for a kernel.
class KernelQuestions final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override { count += call.op.schema().name() == "aten::_fused_sdp_choice"; }
    void after(const tensor::OpCall&) override { }

    std::int64_t count = 0;
};

// The op asks for itself, without the dispatcher. Beside it, `auto` asks once for each layer, as its calls are alike.
TEST(AttentionTest, autoAsksOnceForCallsThatAreAlike)
{
    requireValues();
    const config::Configuration configuration = configurationOf("auto");
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    TechniqueStack stack(configuration);
    stack.apply(*model);
    const models::Inputs inputs = models::makeInputs(configuration, onTestDevice(at::kFloat));
    KernelQuestions questions;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(questions);
    const tensor::OpInterceptor::Scope scope(interceptor);
    const auto questionsOfAForward = [&] {
        questions.count = 0;
        model->forward(inputs);
        return questions.count;
    };
    const std::int64_t first = questionsOfAForward(), second = questionsOfAForward();
    const std::int64_t calls = callsOf(stack.counters().at("attention")) / 2;
    EXPECT_EQ(first, calls);
    EXPECT_EQ(second, 0);
    const torch::NoGradGuard noGradients;
    EXPECT_EQ(questionsOfAForward(), calls) << "without gradients another kernel may be chosen";
    EXPECT_EQ(questionsOfAForward(), 0);
}

TEST(AttentionTest, repetitionsOfABlockCountToo)
{
    requireValues();
    const StepResult plain = stepOf(configurationOf("math"), at::kFloat);
    const StepResult repeated = stepOf(configurationOf("math", "all"), at::kFloat);
    EXPECT_EQ(repeated.counters.at("math"), 2 * plain.counters.at("math"));
}

TEST(AttentionTest, theProcessesSettingsStayAsTheyWere)
{
    requireValues();
    at::globalContext().setSDPUseFlash(false);
    const StepResult result = stepOf(configurationOf("auto"), at::kFloat);
    EXPECT_EQ(result.counters.at("math"), callsOf(result.counters));
    EXPECT_FALSE(at::globalContext().userEnabledFlashSDP());
    at::globalContext().setSDPUseFlash(true);
    stepOf(configurationOf("math"), at::kFloat);
    EXPECT_TRUE(at::globalContext().userEnabledFlashSDP());
    EXPECT_TRUE(at::globalContext().userEnabledMathSDP());
}

} // namespace
} // namespace headroom::techniques::attention_choice_test
