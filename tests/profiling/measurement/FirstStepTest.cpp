// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/FirstStep.h"

#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "core/training/Loss.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/torch/SilentObserver.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::collectors::first_step_test {
namespace {

/// One model with its inputs, from the seed of its workload.
struct Rig {
    explicit Rig(const config::ValueMap& workload, const config::ValueMap& fields = {})
        : trial(trialOnTestDevice(fields, workload))
    {
        const auto options = tensor::tensorOptions(trial.device, trial.configuration.workload.dtype);
        tensor::seedGenerators(0);
        model = models::buildModel(trial.configuration, options);
        tensor::seedGenerators(1);
        inputs = models::makeInputs(trial.configuration, options);
    }

    static config::Trial trialOnTestDevice(const config::ValueMap& fields, const config::ValueMap& workload)
    {
        requireValues();
        return trialOf(testDeviceName(), withSize(fields), workload);
    }

    static config::ValueMap withSize(config::ValueMap fields)
    {
        fields.insert({{"num_layers", 2}, {"dim", 16}});
        return fields;
    }

    FirstStep run() { return firstStep(*model, {}, trial.configuration.workload, inputs, observer, 7); }

    config::Trial trial;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    SilentObserver observer;
};

config::ValueMap workload(const char* step, const char* loss = "mean_square")
{
    return {{"step", step}, {"loss", loss}, {"batch", 2}, {"sequence_length", 8}};
}

TEST(FirstStepTest, lossAndGradientNormAreThoseOfAutograd)
{
    for (const char* loss : {"mean", "mean_square"}) {
        Rig rig(workload("forward_backward", loss));
        const FirstStep step = rig.run();
        const at::Tensor output = rig.model->forward(rig.inputs);
        const at::Tensor expected = std::string(loss) == "mean" ? output.mean() : output.square().mean();
        expected.backward();
        double squares = 0;
        for (const at::Tensor& parameter : rig.model->parameters())
            squares += parameter.grad().to(at::kDouble).square().sum().item<double>();
        EXPECT_NEAR(*step.loss, expected.item<double>(), 1e-6 * std::abs(expected.item<double>()));
        EXPECT_NEAR(*step.gradNorm, std::sqrt(squares), 1e-12 * std::sqrt(squares));
    }
}

TEST(FirstStepTest, inferenceHasNeitherLossNorGradients)
{
    const FirstStep step = Rig(workload("inference")).run();
    EXPECT_TRUE(step.output.defined());
    EXPECT_FALSE(step.loss);
    EXPECT_FALSE(step.gradNorm);
}

// A loss of bfloat16 has three digits; the one of its output has all.
TEST(FirstStepTest, theLossIsFinerThanItsTensor)
{
    config::ValueMap values = workload("forward_backward");
    values["dtype"] = "bfloat16";
    const FirstStep step = Rig(values).run();
    const double expected = step.output.to(at::kDouble).square().mean().item<double>();
    EXPECT_NEAR(*step.loss, expected, 1e-12 * expected);
    EXPECT_NE(*step.loss, static_cast<double>(step.output.square().mean().item<float>()));
}

TEST(FirstStepTest, trainingStopsBeforeClippingAndOptimizer)
{
    config::ValueMap values = workload("train");
    values["clip_grad_norm"] = 1e-6;
    Rig rig(values);
    const at::Tensor before = rig.model->parameters().front().detach().clone();
    const FirstStep trained = rig.run();
    EXPECT_TRUE(rig.model->parameters().front().equal(before)) << "the optimizer has no part in it";
    EXPECT_FALSE(rig.model->parameters().front().grad().defined()) << "and nothing is left behind";
    EXPECT_EQ(trained.gradNorm, Rig(workload("forward_backward")).run().gradNorm) << "nor has clipping";
}

TEST(FirstStepTest, accumulatedMicroStepsAddUpToTheWholeGradient)
{
    config::ValueMap values = workload("forward_backward");
    const FirstStep single = Rig(values).run();
    values["accumulate"] = 4;
    const FirstStep accumulated = Rig(values).run();
    EXPECT_EQ(accumulated.loss, single.loss) << "of a whole batch, not of a quarter";
    EXPECT_NEAR(*accumulated.gradNorm, *single.gradNorm, 1e-6 * *single.gradNorm);
}

TEST(FirstStepTest, theSameSeedGivesTheSameDropoutAndTarget)
{
    Rig rig(workload("forward_backward", "mse"), {{"dropout", 0.5}});
    const auto twice = deviation(rig.run(), rig.run());
    EXPECT_EQ(twice->outputMaxAbs, 0.0);
    EXPECT_EQ(twice->lossAbsDiff, 0.0);
    EXPECT_EQ(twice->gradNormRelDiff, 0.0);
    EXPECT_GT(*twice->gradNorm, 0.0);
}

// By rows, a few at a time; the numbers are those of each row by itself, added up in float64.
TEST(FirstStepTest, crossEntropyIsThatOfEachTokenByItself)
{
    requireValues();
    config::Trial trial = trialOfModel("llama-tiny", testDeviceName(), {},
        {{"step", "forward_backward"}, {"loss", "cross_entropy"}, {"batch", 3}, {"sequence_length", 50}});
    const auto options = tensor::tensorOptions(trial.device, trial.configuration.workload.dtype);
    tensor::seedGenerators(0);
    const auto model = models::buildModel(trial.configuration, options);
    tensor::seedGenerators(1);
    const models::Inputs inputs = models::makeInputs(trial.configuration, options);
    SilentObserver observer;
    const FirstStep step = firstStep(*model, {}, trial.configuration.workload, inputs, observer, 7);
    const at::Tensor logits = step.output.flatten(0, 1).cpu().to(at::kDouble);
    const at::Tensor labels = training::nextTokens(inputs).flatten().cpu();
    double sum = 0;
    int counted = 0;
    for (std::int64_t token = 0; token < labels.numel(); ++token)
        if (const std::int64_t label = labels[token].item<std::int64_t>(); label != training::kNoLabel) {
            sum -= at::log_softmax(logits[token], 0)[label].item<double>();
            ++counted;
        }
    EXPECT_EQ(counted, 3 * 49) << "the last token of each sequence has none";
    if (testDevice().is_cpu()) {
        EXPECT_EQ(*step.loss, sum / counted) << "the same bits";
    }
    EXPECT_NEAR(*step.loss, sum / counted, 1e-12 * sum / counted);
}

// What a technique that computes something else looks like.
TEST(FirstStepTest, anotherModelIsFarAway)
{
    Rig rig(workload("forward_backward"));
    const FirstStep right = rig.run();
    {
        const torch::NoGradGuard noGradients;
        rig.model->parameters().front().mul_(1.5);
    }
    const auto wrong = deviation(rig.run(), right);
    EXPECT_GT(*wrong->outputRelL2, 0.01);
    EXPECT_GT(*wrong->gradNormRelDiff, 0.01);
    EXPECT_DOUBLE_EQ(*wrong->lossAbsDiff, std::abs(*wrong->loss - *right.loss));
}

} // namespace
} // namespace headroom::collectors::first_step_test
