// SPDX-License-Identifier: Apache-2.0
//
// The loss of a language model fused with its last product: the numbers of the plain one, without logits.
#include "core/training/FusedCrossEntropy.h"

#include "core/config/LossChunks.h"
#include "core/models/families/ModelZoo.h"
#include "core/training/Loss.h"
#include "core/training/StepRunner.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::training::fused_cross_entropy_test {
namespace {

class NoObserver final : public StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

/// A head with tokens, some of which have no label.
struct Head {
    HeadProduct product;
    double labelled = 0;

    Head(std::int64_t tokens, std::int64_t width, std::int64_t words, at::ScalarType type)
    {
        const at::TensorOptions options = at::TensorOptions().dtype(at::kDouble);
        product.hidden = at::randn({tokens, width}, options).to(type).requires_grad_();
        product.weight = at::randn({words, width}, options).to(type).requires_grad_();
        product.bias = at::randn({words}, options).to(type).requires_grad_();
        product.labels = at::randint(words, {tokens}, at::kLong);
        for (std::int64_t token = 2; token < tokens; token += 3)
            product.labels[token] = kNoLabel;
        labelled = product.labels.ne(kNoLabel).sum().item<double>();
    }

    std::vector<at::Tensor> gradients() const
    {
        return {product.hidden.grad(), product.weight.grad(), product.bias.grad()};
    }

    at::Tensor plainLoss() const
    {
        const at::Tensor logits = at::linear(product.hidden, product.weight, product.bias);
        return at::cross_entropy_loss(logits, product.labels, {}, at::Reduction::Mean, kNoLabel);
    }
};

TEST(FusedCrossEntropyTest, lossAndGradientsAreThoseOfThePlainLoss)
{
    for (const std::int64_t tokens : {1, 2, 7, 100})
        for (const std::int64_t rows : {1, 3, 64, 100}) {
            SCOPED_TRACE(std::to_string(tokens) + " tokens, " + std::to_string(rows) + " at once");
            at::manual_seed(tokens);
            const Head plain(tokens, 5, 11, at::kDouble);
            at::manual_seed(tokens);
            const Head fused(tokens, 5, 11, at::kDouble);
            const at::Tensor expected = plain.plainLoss();
            const at::Tensor loss = fusedCrossEntropy(fused.product, rows, fused.labelled);
            EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-12 * expected.item<double>());
            (expected * 3.5).backward();
            (loss * 3.5).backward();
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_TRUE(at::allclose(fused.gradients()[i], plain.gradients()[i], 1e-12, 1e-15)) << i;
        }
}

TEST(FusedCrossEntropyTest, whatIsFrozenHasNoGradient)
{
    Head head(6, 3, 7, at::kDouble);
    head.product.weight = head.product.weight.detach();
    head.product.bias = at::Tensor();
    fusedCrossEntropy(head.product, 4, head.labelled).backward();
    EXPECT_TRUE(head.product.hidden.grad().defined());
    EXPECT_FALSE(head.product.weight.grad().defined());
}

TEST(FusedCrossEntropyTest, logitsInSixteenBitsAreRaised)
{
    const Head half(40, 8, 300, at::kBFloat16);
    HeadProduct exact = half.product;
    exact.hidden = exact.hidden.detach().to(at::kDouble);
    exact.weight = exact.weight.detach().to(at::kDouble);
    exact.bias = exact.bias.detach().to(at::kDouble);
    const at::Tensor loss = fusedCrossEntropy(half.product, 16, half.labelled);
    EXPECT_EQ(loss.scalar_type(), at::kFloat);
    EXPECT_NEAR(loss.item<double>(), fusedCrossEntropy(exact, 16, half.labelled).item<double>(), 0.02);
}

// Liger Kernel's rule on its own example: 4096 x 8 tokens, a width of 4096 and 32,000 words are 8 pieces of 4096.
TEST(FusedCrossEntropyTest, rowsAreAsManyAsNeedTheMemoryOfTheHiddenStates)
{
    EXPECT_EQ(config::fusedRows(32768, 4096, 32000, 1), 4096);
    EXPECT_EQ(config::fusedRows(4096, 4096, 128256, 1), 128);
    EXPECT_EQ(config::fusedRows(3, 4096, 4096, 1), 3);
    EXPECT_EQ(config::fusedRows(100, 64, 512, 3), 34);
}

/// A small language model in float64 with its batch, the same in every test.
struct FusedBench {
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    NoObserver observer;

    FusedBench()
    {
        at::manual_seed(19);
        const config::Configuration configuration =
            configurationOf("llama-tiny", {}, {}, {{"batch", 3}, {"sequence_length", 7}});
        model = models::buildModel(configuration, at::kDouble);
        inputs = models::makeInputs(configuration, at::kDouble);
    }

    StepOutput step(bool fused, std::int64_t chunks, int accumulate)
    {
        const config::Workload workload = workloadOf("llama-tiny",
            {{"step", "forward_backward"}, {"loss", "cross_entropy"}, {"chunks", chunks}, {"fused", fused},
                {"accumulate", accumulate}});
        return StepRunner(*model, {}, workload, inputs, observer).run(0);
    }
};

TEST(FusedCrossEntropyTest, aStepsLossAndGradientsAreThoseOfThePlainStep)
{
    for (const std::int64_t chunks : {1, 4})
        for (const int accumulate : {1, 3}) {
            FusedBench plain, fused;
            const double expected = plain.step(false, 1, accumulate).loss.item<double>();
            const StepOutput result = fused.step(true, chunks, accumulate);
            EXPECT_NEAR(result.loss.item<double>(), expected, 1e-12 * expected);
            EXPECT_FALSE(result.output.defined());
            const auto parameters = fused.model->parameters(), plainParameters = plain.model->parameters();
            for (std::size_t i = 0; i < parameters.size(); ++i)
                EXPECT_TRUE(at::allclose(parameters[i].grad(), plainParameters[i].grad(), 1e-12, 1e-15)) << i;
        }
}

TEST(FusedCrossEntropyTest, aModelWithoutAVocabularyHasNone)
{
    config::Workload workload = workloadOf("ffn-stack-tiny", {{"step", "train"}, {"loss", "cross_entropy"}});
    workload.shapes["fused"] = true;
    const auto model = models::buildModel(configurationOf("ffn-stack-tiny"), at::kDouble);
    NoObserver observer;
    EXPECT_EQ(refusal([&] {
        StepRunner(*model, {}, workload, {{"input_ids", at::zeros({1, 2}, at::kLong)}}, observer).run(0);
    }),
        "workload.fused: found true for a model without a head over a vocabulary (valid: false)");
}

} // namespace
} // namespace headroom::training::fused_cross_entropy_test
