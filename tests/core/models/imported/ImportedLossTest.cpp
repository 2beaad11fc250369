// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedFamily.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/models/imported/ImportedCase.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/SilentObserver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// What the backward pass of an imported model starts from.
namespace headroom::models::imported_loss_test {
namespace {

struct LossStep {
    double loss = 0;
    std::map<std::string, at::Tensor> gradients;
    std::vector<at::Tensor> others; ///< what the step holds beside the loss
};

LossStep stepOf(ImportedCase& test, const config::ValueMap& workload)
{
    const config::Configuration configuration = test.configuration({}, workload);
    techniques::TechniqueStack stack(configuration);
    const auto hooks = stack.apply(*test.model);
    SilentObserver observer;
    training::StepRunner runner(*test.model, hooks, configuration.workload, test.inputs, observer);
    torch::manual_seed(static_cast<std::uint64_t>(test.seed()));
    const training::StepOutput output = runner.run(0);
    LossStep step{output.loss.item<double>(), {}, output.others};
    for (const auto& item : test.model->named_parameters())
        if (item.value().grad().defined())
            step.gradients.emplace(item.key(), item.value().grad().clone());
    return step;
}

TEST(ImportedLossTest, aLossThatTheModelReturnsIsTheDefault)
{
    requireCpu("the reference is of the CPU's kernels");
    ImportedCase test("losing");
    const config::ModelDescriptor model = config::findModel(test.modelName, "");
    EXPECT_EQ(model.family->defaultLoss, config::Loss::Model);
    EXPECT_EQ(config::defaultConfiguration(test.modelName, "").workload.loss, config::Loss::Model);
    const LossStep step = stepOf(test, {{"step", "forward_backward"}, {"loss", "model"}});
    const auto& expected = test.values.at("train");
    EXPECT_NEAR(step.loss, expected.at("loss").get<double>(), 1e-6 * std::abs(expected.at("loss").get<double>()));
    for (const auto& [name, gradient] : expected.at("gradients").items())
        EXPECT_NEAR(
            l2Norm(step.gradients.at(name)), gradient.at("l2").get<double>(), 1e-6 * gradient.at("l2").get<double>())
            << name;
}

// As `out = model(...); out.loss.backward()` does, where a trainer lets go of all but the loss.
TEST(ImportedLossTest, whatIsReturnedBesideTheLossIsHeldWithIt)
{
    ImportedCase test("losing");
    EXPECT_THAT(stepOf(test, {{"step", "forward_backward"}, {"loss", "model"}}).others, testing::IsEmpty());
    ImportedCase again("losing");
    const LossStep held = stepOf(again, {{"step", "forward_backward"}, {"loss", "model"}, {"output", "held"}});
    ASSERT_EQ(held.others.size(), 1);
    const at::Tensor scores = held.others.front().flatten(0, 1);
    EXPECT_DOUBLE_EQ(at::cross_entropy_loss(scores, again.inputs.at("labels").flatten()).item<double>(), held.loss);
}

// Cross entropy with the next tokens, as transformers computes it of labels that are the tokens.
TEST(ImportedLossTest, crossEntropyTakesTheTokensOfTheDecoder)
{
    requireValues();
    ImportedCase test("t5");
    EXPECT_EQ(test.model->tokenInput(), "decoder_input_ids");
    const LossStep step = stepOf(test, {{"step", "forward_backward"}, {"loss", "cross_entropy"}});
    ImportedCase again("t5");
    torch::manual_seed(static_cast<std::uint64_t>(again.seed()));
    const at::Tensor logits = again.model->forward(again.inputs);
    const at::Tensor tokens = again.inputs.at("decoder_input_ids");
    const std::int64_t predicted = tokens.size(1) - 1;
    const at::Tensor loss =
        at::cross_entropy_loss(logits.narrow(1, 0, predicted).flatten(0, 1), tokens.narrow(1, 1, predicted).flatten());
    loss.backward();
    EXPECT_NEAR(step.loss, loss.item<double>(), 1e-6 * loss.item<double>());
    for (const auto& item : again.model->named_parameters())
        if (item.value().grad().defined()) {
            EXPECT_LE(relativeL2(step.gradients.at(item.key()), item.value().grad()), 1e-5) << item.key();
        }
}

TEST(ImportedLossTest, aModelWithoutALossHasNone)
{
    ImportedCase test("llama");
    EXPECT_EQ(test.model->tokenInput(), "input_ids");
    EXPECT_THAT(config::conflicts(test.configuration({}, {{"step", "train"}, {"loss", "model"}})),
        testing::Contains(testing::HasSubstr("workload.loss = model has no meaning")));
    EXPECT_THAT(refusal([&] { test.model->forwardToLoss(test.inputs); }), testing::HasSubstr("returns no loss"));
}

} // namespace
} // namespace headroom::models::imported_loss_test
