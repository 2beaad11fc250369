// SPDX-License-Identifier: Apache-2.0
#include "core/training/StepRunner.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/Gradients.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/Norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::training::autocast_step_test {
namespace {

using config::StepKind;

class NotedPhases final : public StepObserver {
public:
    void phaseBegins(const std::string& phase, std::int64_t) override { phases.push_back(phase); }
    void phaseEnds(const std::string&, std::int64_t) override { }
    std::vector<std::string> phases;
};

config::Configuration autocastStep(
    const std::string& autocast, StepKind step, const std::map<std::string, std::string>& techniques = {})
{
    config::Configuration configuration = configurationOf("ffn-stack-tiny", techniques);
    configuration.workload.step = step;
    configuration.workload.loss = config::Loss::MeanSquare;
    configuration.workload.autocast = autocast;
    configuration.workload.output = config::ModelOutput::Held;
    return configuration;
}

/// A small model in float32 with its input, the same in every test.
struct Bench {
    config::Configuration configuration;
    techniques::TechniqueStack techniques;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    NotedPhases observer;
    StepRunner runner;

    explicit Bench(const config::Configuration& chosen)
        : configuration(chosen)
        , techniques(chosen)
        , model(seededModel(chosen))
        , inputs(models::makeInputs(chosen, onTestDevice(at::kFloat)))
        , runner(*model, techniques.apply(*model), chosen.workload, inputs, observer)
    {
    }

    static std::shared_ptr<models::Model> seededModel(const config::Configuration& configuration)
    {
        at::manual_seed(79);
        return models::buildModel(configuration, onTestDevice(at::kFloat));
    }

    std::vector<at::Tensor> gradients() const
    {
        std::vector<at::Tensor> result;
        for (const at::Tensor& gradient : gradientsOf(model->parameters()))
            result.push_back(gradient.clone());
        return result;
    }
};

// bfloat16 keeps 8 bits, float16 11: each product rounds its factors and its result, relative errors of 2^-9 and 2^-12.
// A gradient passes four products forward and four backward, of three roundings each, whose errors add up at random:
// sqrt(24) of them, and a factor of two for what cancels.
TEST(AutocastStepTest, gradientsAreFloat32AndCloseToThoseInFloat32)
{
    requireValues();
    Bench plain(autocastStep("off", StepKind::ForwardBackward));
    const double loss = plain.runner.run(0).loss.item<double>();
    for (const auto& [autocast, unit] : {std::pair("bfloat16", 0x1p-9), std::pair("float16", 0x1p-12)}) {
        Bench bench(autocastStep(autocast, StepKind::ForwardBackward));
        const StepOutput output = bench.runner.run(0);
        EXPECT_EQ(output.loss.scalar_type(), at::kFloat);
        EXPECT_NE(output.output.scalar_type(), at::kFloat);
        EXPECT_NEAR(output.loss.item<double>(), loss, 2 * std::sqrt(24.0) * unit * loss);
        const auto gradients = bench.gradients();
        for (const at::Tensor& gradient : gradients)
            EXPECT_EQ(gradient.scalar_type(), at::kFloat);
        EXPECT_LE(relativeL2(gradients, plain.gradients()), 2 * std::sqrt(24.0) * unit) << autocast;
        EXPECT_GT(relativeL2(gradients, plain.gradients()), 0.0) << autocast << " is not float32";
    }
}

TEST(AutocastStepTest, theOutputOfInferenceIsInTheAutocastsType)
{
    Bench bench(autocastStep("bfloat16", StepKind::Inference));
    EXPECT_EQ(bench.runner.run(0).output.scalar_type(), at::kBFloat16);
}

TEST(AutocastStepTest, masterWeightsAndTheOptimizersStateAreFloat32)
{
    requireValues();
    Bench bench(autocastStep("bfloat16", StepKind::Train, {{"optimizer", "adamw"}}));
    const std::vector<at::Tensor> parameters = bench.runner.parameters();
    const at::Tensor before = parameters.front().detach().clone();
    bench.runner.run(0);
    for (const at::Tensor& parameter : parameters)
        EXPECT_EQ(parameter.scalar_type(), at::kFloat);
    EXPECT_FALSE(sameBits(parameters.front().detach(), before));
    std::int64_t elements = 0;
    for (const at::Tensor& parameter : parameters)
        elements += parameter.numel();
    EXPECT_EQ(bench.techniques.counters().at("optimizer").at("state_bytes"), 8 * elements);
}

// Repeated under the same autocast, a block gives the same bits.
TEST(AutocastStepTest, recomputationsRunUnderTheSameAutocast)
{
    requireValues();
    Bench plain(autocastStep("bfloat16", StepKind::ForwardBackward));
    plain.runner.run(0);
    for (const std::map<std::string, std::string>& techniques : std::vector<std::map<std::string, std::string>>{
             {{"checkpointing", "all"}}, {{"split_ffn", "tokens:2"}}, {{"split_ffn", "1:recompute"}}}) {
        Bench bench(autocastStep("bfloat16", StepKind::ForwardBackward, techniques));
        bench.runner.run(0);
        const auto gradients = bench.gradients();
        const auto expected = plain.gradients();
        ASSERT_EQ(gradients.size(), expected.size());
        const bool sumsInAnotherOrder = techniques.contains("split_ffn");
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (!sumsInAnotherOrder) {
                EXPECT_TRUE(sameNumbers(gradients[i], expected[i])) << i;
            }
        EXPECT_LE(relativeL2(gradients, expected), 2 * std::sqrt(24.0) * 0x1p-9);
    }
}

TEST(AutocastStepTest, slicesOfAFeedForwardRunInTheAutocastsType)
{
    requireValues();
    Bench plain(autocastStep("bfloat16", StepKind::ForwardBackward));
    const at::Tensor output = plain.runner.run(0).output;
    for (const char* notation : {"4", "4:recompute", "tokens:4"}) {
        Bench bench(autocastStep("bfloat16", StepKind::ForwardBackward, {{"split_ffn", notation}}));
        const at::Tensor split = bench.runner.run(0).output;
        EXPECT_EQ(split.scalar_type(), at::kBFloat16) << notation;
        EXPECT_LE(relativeL2({split}, {output}), 2 * std::sqrt(24.0) * 0x1p-9) << notation;
        Bench inference(autocastStep("bfloat16", StepKind::Inference, {{"split_ffn", notation}}));
        EXPECT_LE(relativeL2({inference.runner.run(0).output}, {output}), 2 * std::sqrt(24.0) * 0x1p-9) << notation;
    }
}

TEST(AutocastStepTest, float16UnscalesBeforeItClips)
{
    requireValues();
    Bench plain(autocastStep("float16", StepKind::ForwardBackward));
    plain.runner.run(0);
    const double norm = gradientNorm(plain.model->parameters()).item<double>();
    config::Configuration configuration = autocastStep("float16", StepKind::Train);
    configuration.workload.clipGradNorm = norm / 2;
    Bench clipped(configuration);
    clipped.runner.run(0);
    EXPECT_NEAR(gradientNorm(clipped.model->parameters()).item<double>(), norm / 2, norm * 1e-4);
    EXPECT_THAT(clipped.observer.phases, testing::ElementsAre("forward", "backward", "unscale", "clip", "optimizer"));
}

// A loss so large that its scaled gradients overflow float16: the update is left out, and after enough halvings of the
// scale one is made.
TEST(AutocastStepTest, anUpdateWithInfiniteGradientsIsLeftOut)
{
    requireValues();
    Bench bench(autocastStep("float16", StepKind::Train));
    const torch::NoGradGuard noGradients;
    for (const at::Tensor& parameter : bench.model->parameters())
        at::Tensor(parameter).mul_(4);
    const at::Tensor before = bench.runner.parameters().front().detach().clone();
    {
        const at::AutoGradMode gradients(true);
        bench.runner.run(0);
    }
    EXPECT_TRUE(sameNumbers(bench.runner.parameters().front().detach(), before));
    const at::AutoGradMode gradients(true);
    for (int step = 1; step < 40; ++step)
        bench.runner.run(step);
    EXPECT_FALSE(sameBits(bench.runner.parameters().front().detach(), before));
    EXPECT_TRUE(bench.runner.parameters().front().isfinite().all().item<bool>());
}

} // namespace
} // namespace headroom::training::autocast_step_test
