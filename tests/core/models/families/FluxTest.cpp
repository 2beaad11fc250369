// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Flux.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/blocks/FluxRotaryEmbedding.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/Norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::models::flux_test {
namespace {

constexpr double kRelative = 1e-5;
const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);

// Grid ids (0, row, column) of 3 x 4 tokens, five text tokens at 0.
Inputs referenceInputs()
{
    at::Tensor ids = at::zeros({12, 3}, onTestDevice());
    for (std::int64_t token = 0; token < 12; ++token) {
        ids[token][1] = token / 4;
        ids[token][2] = token % 4;
    }
    return {{"hidden_states", reference::filled({2, 12, 4}, reference::kHiddenSeed)},
        {"encoder_hidden_states", reference::filled({2, 5, 12}, reference::kTextSeed)},
        {"pooled_projections", reference::filled({2, 10}, reference::kPooledSeed)},
        {"timestep", at::tensor({0.5, 0.037}).to(testDevice()).to(at::kFloat)}, {"img_ids", ids},
        {"txt_ids", at::zeros({5, 3}, onTestDevice())}, {"guidance", at::full({2}, 3.5, onTestDevice())}};
}

void expectNear(double value, double expected, const std::string& what)
{
    EXPECT_NEAR(value, expected, kRelative * std::abs(expected)) << what;
}

TEST(FluxTest, outputsAndGradientsAreUpstreams)
{
    requireValues();
    Flux model(fieldsOf("flux-tiny"), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const at::Tensor output = model.forward(referenceInputs());
    const at::Tensor loss = output.square().mean();
    loss.backward();
    EXPECT_EQ(parameterCount(model), 130052);
    EXPECT_EQ(output.sizes(), (std::vector<std::int64_t>{2, 12, 4}));
    expectNear(l2Norm(output), 10.622128, "output");
    const std::pair<int, double> elements[]{
        {0, -0.62995088}, {1, -0.83403474}, {48, -0.92854393}, {94, -0.56483591}, {95, 1.8833951}};
    for (const auto& [index, value] : elements)
        EXPECT_NEAR(output.flatten()[index].item<double>(), value, kRelative * std::max(1.0, std::abs(value)))
            << "element " << index;
    expectNear(loss.item<double>(), 1.1753081, "loss");
    expectNear(gradientNorm(model), 6.5493601, "gradient norm");
    const auto parameters = model.named_parameters();
    expectNear(l2Norm(parameters["transformer_blocks.0.attn.to_q.weight"].grad()), 0.33130489, "to_q");
    expectNear(l2Norm(parameters["single_transformer_blocks.0.proj_out.weight"].grad()), 1.516775, "proj_out");
}

TEST(FluxTest, theFullModelsHaveUpstreamsTensorsAndNames)
{
    const Flux model(fieldsOf("flux-dev"), kMeta);
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameterCount(model), 11901408320);
    EXPECT_EQ(parameters.size(), 1160U);
    EXPECT_EQ(model.buffers().size(), 0U);
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("time_text_embed.timestep_embedder.linear_1.weight", {3072, 256});
    expectShape("time_text_embed.guidance_embedder.linear_2.weight", {3072, 3072});
    expectShape("time_text_embed.text_embedder.linear_1.weight", {3072, 768});
    expectShape("context_embedder.weight", {3072, 4096});
    expectShape("x_embedder.weight", {3072, 64});
    expectShape("transformer_blocks.18.norm1.linear.weight", {18432, 3072});
    expectShape("transformer_blocks.0.norm1_context.linear.bias", {18432});
    expectShape("transformer_blocks.0.attn.norm_q.weight", {128});
    expectShape("transformer_blocks.0.attn.norm_added_k.weight", {128});
    expectShape("transformer_blocks.3.attn.to_out.0.bias", {3072});
    expectShape("transformer_blocks.3.attn.add_v_proj.weight", {3072, 3072});
    expectShape("transformer_blocks.3.attn.to_add_out.bias", {3072});
    expectShape("transformer_blocks.5.ff.net.0.proj.weight", {12288, 3072});
    expectShape("transformer_blocks.5.ff_context.net.2.weight", {3072, 12288});
    expectShape("single_transformer_blocks.37.norm.linear.weight", {9216, 3072});
    expectShape("single_transformer_blocks.0.proj_mlp.weight", {12288, 3072});
    expectShape("single_transformer_blocks.0.proj_out.weight", {3072, 15360});
    expectShape("single_transformer_blocks.0.attn.norm_k.weight", {128});
    expectShape("norm_out.linear.weight", {6144, 3072});
    expectShape("proj_out.weight", {64, 3072});
    EXPECT_EQ(parameterCount(Flux(fieldsOf("flux-schnell"), kMeta)), 11891178560);
}

// Of width 4: frequencies 1 and 1/100, each twice; the axes one after the other.
TEST(FluxTest, rotaryTablesTurnEachAxisByItsPosition)
{
    requireValues();
    const RotaryTables tables = fluxRotaryTables(at::tensor({0.0, 3.0, 70.0}).to(testDevice()).view({1, 3}), {2, 4, 2});
    ASSERT_EQ(tables.cosines.sizes(), (std::vector<std::int64_t>{1, 1, 8}));
    EXPECT_EQ(tables.cosines.scalar_type(), at::kFloat);
    const double angles[]{0, 0, 3, 3, 0.03, 0.03, 70, 70};
    for (std::int64_t i = 0; i < 8; ++i) {
        EXPECT_NEAR(tables.cosines[0][0][i].item<double>(), std::cos(angles[i]), 1e-7) << i;
        EXPECT_NEAR(tables.sines[0][0][i].item<double>(), std::sin(angles[i]), 1e-7) << i;
    }
}

TEST(FluxTest, positionsOfEachSampleAreThoseOfTheFirst)
{
    requireValues();
    Flux model(fieldsOf("flux-tiny"), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    Inputs inputs = referenceInputs();
    const at::Tensor expected = model.forward(inputs);
    for (const char* ids : {"img_ids", "txt_ids"})
        inputs[ids] = inputs[ids].unsqueeze(0).repeat({2, 1, 1});
    EXPECT_TRUE(sameNumbers(model.forward(inputs), expected));
}

TEST(FluxTest, guidanceCountsOnlyWhereThereIsAnEmbeddingOfIt)
{
    requireValues();
    Inputs other = referenceInputs();
    other["guidance"] = at::full({2}, 1.0, onTestDevice());
    for (const bool guided : {true, false}) {
        Flux model(fieldsOf("flux-tiny", {{"guidance_embeds", guided}}), onTestDevice(at::kFloat));
        reference::fillParameters(model);
        EXPECT_EQ(sameNumbers(model.forward(referenceInputs()), model.forward(other)), !guided);
    }
}

// Sums that float16 cannot hold end at its largest number, so that no infinity goes on.
TEST(FluxTest, float16IsClippedBetweenBlocks)
{
    requireValues();
    Flux model(fieldsOf("flux-tiny"), onTestDevice(at::kHalf));
    reference::fillParameters(model);
    const torch::NoGradGuard noGradients;
    auto parameters = model.named_parameters();
    parameters["transformer_blocks.0.ff_context.net.2.bias"].fill_(60000);
    parameters["transformer_blocks.0.norm1_context.linear.bias"].slice(0, 5 * 32).fill_(5);
    Inputs inputs = referenceInputs();
    for (const char* name : {"hidden_states", "encoder_hidden_states", "pooled_projections", "timestep"})
        inputs[name] = inputs[name].to(at::kHalf);
    EXPECT_TRUE(at::isfinite(model.forward(inputs)).all().item<bool>());
}

// Where a technique runs a block again it has to come out the same, with nothing but the block's inputs.
TEST(FluxTest, blocksOfBothKindsAreRunThroughTheInstalledExecution)
{
    requireValues();
    struct Twice final : BlockExecution {
        std::vector<at::Tensor> run(
            std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs) override
        {
            order->push_back(index);
            const auto first = forward(inputs), second = forward(inputs);
            for (std::size_t stream = 0; stream < first.size(); ++stream)
                EXPECT_TRUE(sameNumbers(first[stream], second[stream]));
            return second;
        }
        std::vector<std::int64_t>* order;
    };
    Flux model(fieldsOf("flux-tiny"), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const at::Tensor plain = model.forward(referenceInputs());
    std::vector<std::int64_t> order;
    auto twice = std::make_unique<Twice>();
    twice->order = &order;
    model.setBlockExecution(std::move(twice));
    EXPECT_TRUE(sameNumbers(model.forward(referenceInputs()), plain));
    EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(model.feedForwards().size(), 4U);
}

TEST(FluxTest, inputsHaveTheWorkloadsShapes)
{
    const Inputs inputs = fluxInputs(config::defaultConfiguration("flux-dev", ""), kMeta);
    EXPECT_EQ(inputs.at("hidden_states").sizes(), (std::vector<std::int64_t>{1, 4096, 64}));
    EXPECT_EQ(inputs.at("encoder_hidden_states").sizes(), (std::vector<std::int64_t>{1, 512, 4096}));
    EXPECT_EQ(inputs.at("pooled_projections").sizes(), (std::vector<std::int64_t>{1, 768}));
    EXPECT_EQ(inputs.at("img_ids").sizes(), (std::vector<std::int64_t>{4096, 3}));
    EXPECT_EQ(inputs.at("txt_ids").sizes(), (std::vector<std::int64_t>{512, 3}));
    EXPECT_EQ(inputs.at("guidance").scalar_type(), at::kFloat);
    EXPECT_EQ(fluxInputs(config::defaultConfiguration("flux-schnell", ""), kMeta).contains("guidance"), false);
    const Inputs small = fluxInputs(config::defaultConfiguration("flux-tiny", ""), onTestDevice(at::kFloat));
    EXPECT_TRUE(sameNumbers(small.at("img_ids"), referenceInputs().at("img_ids")));
}

} // namespace
} // namespace headroom::models::flux_test
