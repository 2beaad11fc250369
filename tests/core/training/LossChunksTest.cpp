// SPDX-License-Identifier: Apache-2.0
//
// The loss of a language model in pieces of the sequence: the same numbers, released and held as the output is.
#include "core/config/LossChunks.h"
#include "core/models/LanguageModel.h"
#include "core/models/families/ModelZoo.h"
#include "core/training/Loss.h"
#include "core/training/StepRunner.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::training::loss_chunks_test {
namespace {

using config::ModelOutput;
using config::StepKind;

class NoObserver final : public StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

/// A small language model in float64 with its batch, the same in every test.
struct LanguageBench {
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    NoObserver observer;

    explicit LanguageBench(std::int64_t tokens)
    {
        at::manual_seed(19);
        const config::Configuration configuration =
            configurationOf("llama-tiny", {}, {}, {{"batch", 3}, {"sequence_length", tokens}});
        model = models::buildModel(configuration, at::kDouble);
        inputs = models::makeInputs(configuration, at::kDouble);
    }

    StepOutput step(std::int64_t chunks, ModelOutput output = ModelOutput::Released, int accumulate = 1)
    {
        config::Workload workload = workloadOf("llama-tiny",
            {{"step", "forward_backward"}, {"loss", "cross_entropy"}, {"chunks", chunks}, {"accumulate", accumulate}});
        workload.output = output;
        return StepRunner(*model, {}, workload, inputs, observer).run(0);
    }

    std::vector<at::Tensor> gradients() const
    {
        std::vector<at::Tensor> result;
        for (const at::Tensor& parameter : model->parameters())
            result.push_back(parameter.grad().clone());
        return result;
    }
};

TEST(LossChunksTest, lossAndGradientsAreThoseOfTheWhole)
{
    for (const std::int64_t tokens : {2, 5, 7, 8})
        for (std::int64_t chunks = 2; chunks <= tokens; ++chunks)
            for (const int accumulate : {1, 3}) {
                SCOPED_TRACE(std::to_string(tokens) + " tokens in " + std::to_string(chunks));
                LanguageBench whole(tokens), inChunks(tokens);
                const double expected = whole.step(1, ModelOutput::Released, accumulate).loss.item<double>();
                const double loss = inChunks.step(chunks, ModelOutput::Released, accumulate).loss.item<double>();
                EXPECT_NEAR(loss, expected, 1e-12 * std::abs(expected));
                const auto gradients = inChunks.gradients(), wholeGradients = whole.gradients();
                ASSERT_EQ(gradients.size(), wholeGradients.size());
                for (std::size_t i = 0; i < gradients.size(); ++i)
                    EXPECT_TRUE(at::allclose(gradients[i], wholeGradients[i], 1e-12, 1e-15)) << i;
            }
}

// torch.chunk's rule: 7 tokens in 4 chunks are 2, 2, 2 and 1; in 5 they are four pieces, too.
TEST(LossChunksTest, piecesAreOfEqualSizeButTheLast)
{
    LanguageBench bench(7);
    const auto sizes = [&](std::int64_t chunks) {
        std::vector<std::int64_t> result;
        for (const at::Tensor& logits :
            dynamic_cast<models::LanguageModel&>(*bench.model).logitsInChunks(bench.inputs, chunks))
            result.push_back(logits.size(1));
        EXPECT_EQ(config::piecesOf(7, chunks), static_cast<std::int64_t>(result.size()));
        return result;
    };
    EXPECT_THAT(sizes(1), testing::ElementsAre(7));
    EXPECT_THAT(sizes(4), testing::ElementsAre(2, 2, 2, 1));
    EXPECT_THAT(sizes(5), testing::ElementsAre(2, 2, 2, 1));
    EXPECT_THAT(sizes(7), testing::Each(1));
}

TEST(LossChunksTest, logitsAreThoseOfTheForward)
{
    LanguageBench bench(7);
    const at::Tensor whole = bench.model->forward(bench.inputs);
    const auto chunks = dynamic_cast<models::LanguageModel&>(*bench.model).logitsInChunks(bench.inputs, 3);
    EXPECT_TRUE(at::allclose(at::cat(chunks, 1), whole, 1e-12, 1e-15));
}

TEST(LossChunksTest, theLogitsOfEachChunkAreHeldOrReleased)
{
    LanguageBench bench(6);
    const StepOutput released = bench.step(3);
    EXPECT_FALSE(released.output.defined());
    EXPECT_TRUE(released.chunks.empty());
    const StepOutput held = bench.step(3, ModelOutput::Held);
    EXPECT_FALSE(held.output.defined());
    ASSERT_EQ(held.chunks.size(), 3U);
    EXPECT_FALSE(held.chunks.front().requires_grad());
    EXPECT_TRUE(at::allclose(at::cat(held.chunks, 1), bench.step(1, ModelOutput::Held).output, 1e-12, 1e-15));
}

TEST(LossChunksTest, logitsInSixteenBitsAreRaised)
{
    const at::Tensor logits = at::randn({2, 6, 9}).to(at::kBFloat16);
    const at::Tensor labels = nextTokens({{"input_ids", at::randint(9, {2, 6}, at::kLong)}});
    const at::Tensor loss = lossOfChunks(logits.chunk(4, 1), labels);
    EXPECT_EQ(loss.scalar_type(), at::kFloat);
    EXPECT_NEAR(
        loss.item<double>(), lossOf(config::Loss::CrossEntropy, logits.to(at::kDouble), labels).item<double>(), 1e-6);
}

TEST(LossChunksTest, aModelWithoutAVocabularyHasNoChunks)
{
    EXPECT_THAT(refusal([] { lossOfChunks({at::zeros({1, 2, 3})}, {}); }), testing::HasSubstr("workload.loss"));
    config::Workload workload = workloadOf("ffn-stack-tiny", {{"step", "train"}, {"loss", "cross_entropy"}});
    workload.shapes["chunks"] = 2;
    const auto model = models::buildModel(configurationOf("ffn-stack-tiny"), at::kDouble);
    NoObserver observer;
    EXPECT_EQ(refusal([&] {
        StepRunner(*model, {}, workload, {{"input_ids", at::zeros({1, 2}, at::kLong)}}, observer).run(0);
    }),
        "workload.chunks: found 2 for a model without a head over a vocabulary (valid: 1)");
}

TEST(LossChunksTest, otherLossesAndInferenceHaveNone)
{
    const auto chunksOf = [](const config::ValueMap& values) {
        return config::lossChunks(workloadOf("llama-tiny", values));
    };
    EXPECT_EQ(chunksOf({{"step", "train"}, {"loss", "cross_entropy"}, {"chunks", 4}}), 4);
    EXPECT_EQ(chunksOf({{"step", "inference"}, {"loss", "cross_entropy"}, {"chunks", 4}}), 1);
    EXPECT_EQ(chunksOf({{"step", "train"}, {"loss", "mean"}, {"chunks", 4}}), 1);
    EXPECT_EQ(config::lossChunks(workloadOf("ffn-stack-tiny", {{"step", "train"}})), 1);
}

} // namespace
} // namespace headroom::training::loss_chunks_test
