// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Llama.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/training/Loss.h"
#include "tests/core/models/families/PlainLlama.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace headroom::models::llama_test {
namespace {

using reference::Matrix;
using reference::Sequence;

// Frequencies and angles are float32 in both. A frequency may differ by two units of its last place, at places up to
// 30: 30 * 1.2e-7. Everything else is float64.
constexpr double kTolerance = 5e-6;

const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);

config::ValueMap fieldsOf(const config::ValueMap& given)
{
    return headroom::fieldsOf("llama-tiny", given);
}

/// A small model with weights everywhere, and sequences for it.
struct Sample {
    explicit Sample(unsigned seed)
        : random(seed)
    {
        const std::int64_t shared = between(1, 3), queriesPerKey = between(1, 3), headDim = 2 * between(1, 5);
        fields = fieldsOf({{"hidden_size", between(3, 20)}, {"head_dim", headDim}, {"num_key_value_heads", shared},
            {"num_attention_heads", shared * queriesPerKey}, {"intermediate_size", between(2, 30)},
            {"num_hidden_layers", between(1, 3)}, {"vocab_size", between(4, 40)}, {"rms_norm_eps", 0.01},
            {"rope_theta", static_cast<double>(between(5, 500))}});
        model = std::make_unique<Llama>(fields, onTestDevice(at::kDouble));
        reference::fillParameters(*model);
        const std::int64_t batch = between(1, 3), tokens = between(2, 9);
        for (std::int64_t i = 0; i < batch; ++i) {
            Sequence sequence{{}, std::vector<bool>(static_cast<std::size_t>(tokens), true), {}};
            for (std::int64_t token = 0; token < tokens; ++token) {
                sequence.tokens.push_back(between(0, fields.at("vocab_size").integer() - 1));
                sequence.positions.push_back(token);
            }
            sequences.push_back(sequence);
        }
    }

    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    }

    // On either side, of any length.
    void pad()
    {
        for (Sequence& sequence : sequences) {
            const auto length = static_cast<std::int64_t>(sequence.isKept.size());
            const std::int64_t padding = between(0, length - 1);
            const std::int64_t first = between(0, 1) == 0 ? 0 : length - padding;
            for (std::int64_t i = first; i < first + padding; ++i)
                sequence.isKept[static_cast<std::size_t>(i)] = false;
        }
    }

    template <typename Member> at::Tensor stacked(Member Sequence::* member) const
    {
        std::vector<at::Tensor> rows;
        for (const Sequence& sequence : sequences)
            rows.push_back(at::tensor(std::vector<std::int64_t>((sequence.*member).begin(), (sequence.*member).end()))
                    .to(testDevice()));
        return at::stack(rows);
    }

    Inputs inputs() const { return {{"input_ids", stacked(&Sequence::tokens)}}; }

    std::vector<Matrix> expected() const
    {
        std::vector<Matrix> logits;
        for (const Sequence& sequence : sequences)
            logits.push_back(reference::plainLlama(fields, reference::parametersOf(*model), sequence));
        return logits;
    }

    std::mt19937 random;
    config::ValueMap fields;
    std::unique_ptr<Llama> model;
    std::vector<Sequence> sequences;
};

void expectEqual(const at::Tensor& output, const std::vector<Matrix>& expected, unsigned seed)
{
    ASSERT_EQ(output.size(0), static_cast<std::int64_t>(expected.size()));
    for (std::int64_t i = 0; i < output.size(0); ++i) {
        const Matrix logits = reference::matrixOf(output[i]);
        EXPECT_LE(
            reference::relativeDifference(logits.values, expected[static_cast<std::size_t>(i)].values), kTolerance)
            << "seed " << seed << ", sequence " << i;
    }
}

TEST(LlamaTest, logitsAreThoseOfTheFormulas)
{
    requireValues();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Sample sample(seed);
        expectEqual(sample.model->forward(sample.inputs()), sample.expected(), seed);
    }
}

TEST(LlamaTest, paddingIsSeenByNobody)
{
    requireValues();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Sample sample(seed);
        sample.pad();
        Inputs inputs = sample.inputs();
        inputs["attention_mask"] = sample.stacked(&Sequence::isKept);
        expectEqual(sample.model->forward(inputs), sample.expected(), seed);
    }
}

TEST(LlamaTest, positionsMayBeGiven)
{
    requireValues();
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Sample sample(seed);
        for (Sequence& sequence : sample.sequences)
            for (std::int64_t& position : sequence.positions)
                position = sample.between(0, 30);
        Inputs inputs = sample.inputs();
        inputs["position_ids"] = sample.stacked(&Sequence::positions);
        expectEqual(sample.model->forward(inputs), sample.expected(), seed);
    }
}

TEST(LlamaTest, theLossIsTheMeanSurpriseAtTheNextToken)
{
    requireValues();
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Sample sample(seed);
        const at::Tensor logits = sample.model->forward(sample.inputs());
        const at::Tensor labels = training::nextTokens(sample.inputs());
        const double loss = training::lossOf(config::Loss::CrossEntropy, logits, labels).item<double>();
        const double expected = reference::plainCrossEntropy(sample.expected(), sample.sequences);
        EXPECT_NEAR(loss, expected, kTolerance * std::abs(expected)) << seed;
    }
}

// Along one direction through all parameters, by central differences of the formulas. The step is small enough for
// differences of the third order to vanish, and large enough for sums of 1e-16 to keep six digits.
TEST(LlamaTest, gradientsAreTheSlopesOfTheFormulas)
{
    requireValues();
    constexpr double kStep = 1e-5;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Sample sample(seed);
        const at::Tensor labels = training::nextTokens(sample.inputs());
        training::lossOf(config::Loss::CrossEntropy, sample.model->forward(sample.inputs()), labels).backward();
        at::manual_seed(seed);
        double slope = 0;
        std::vector<at::Tensor> directions;
        for (const at::Tensor& parameter : sample.model->parameters()) {
            directions.push_back(at::randn_like(parameter.detach()));
            slope += (parameter.grad() * directions.back()).sum().item<double>();
        }
        const auto lossAt = [&](double distance) {
            const torch::NoGradGuard noGradients;
            const auto parameters = sample.model->parameters();
            for (std::size_t i = 0; i < parameters.size(); ++i)
                at::Tensor(parameters[i]).add_(directions[i], distance);
            const double loss = reference::plainCrossEntropy(sample.expected(), sample.sequences);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                at::Tensor(parameters[i]).add_(directions[i], -distance);
            return loss;
        };
        const double expected = (lossAt(kStep) - lossAt(-kStep)) / (2 * kStep);
        EXPECT_NEAR(slope, expected, 2e-5 * (std::abs(expected) + 0.1)) << seed;
    }
}

/// Published sizes.
struct Published {
    const char* name;
    std::int64_t parameters;
    std::size_t tensors; ///< 9 in a block, and 3
};

constexpr Published kPublished[]{{"llama-2-7b", 6738415616, 32 * 9 + 3}, {"llama-2-13b", 13015864320, 40 * 9 + 3},
    {"llama-3-8b", 8030261248, 32 * 9 + 3}};

TEST(LlamaTest, fullModelsHaveUpstreamsTensorsAndNames)
{
    for (const Published& row : kPublished) {
        const config::Configuration configuration = config::defaultConfiguration(row.name, "");
        const Llama model(configuration.modelFields, kMeta);
        EXPECT_EQ(parameterCount(model), row.parameters) << row.name;
        EXPECT_EQ(model.named_parameters().size(), row.tensors) << row.name;
    }
    const Llama model(config::defaultConfiguration("llama-3-8b", "").modelFields, kMeta);
    const auto parameters = model.named_parameters();
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("model.embed_tokens.weight", {128256, 4096});
    expectShape("model.layers.0.input_layernorm.weight", {4096});
    expectShape("model.layers.31.self_attn.q_proj.weight", {4096, 4096});
    expectShape("model.layers.31.self_attn.k_proj.weight", {1024, 4096});
    expectShape("model.layers.5.self_attn.v_proj.weight", {1024, 4096});
    expectShape("model.layers.5.self_attn.o_proj.weight", {4096, 4096});
    expectShape("model.layers.7.post_attention_layernorm.weight", {4096});
    expectShape("model.layers.7.mlp.gate_proj.weight", {14336, 4096});
    expectShape("model.layers.7.mlp.up_proj.weight", {14336, 4096});
    expectShape("model.layers.7.mlp.down_proj.weight", {4096, 14336});
    expectShape("model.norm.weight", {4096});
    expectShape("lm_head.weight", {128256, 4096});
}

TEST(LlamaTest, biasesAreThereWhereTheyAreAskedFor)
{
    const config::ValueMap fields = fieldsOf({{"attention_bias", true}, {"mlp_bias", true}});
    const Llama model(fields, kMeta);
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameters["model.layers.1.self_attn.k_proj.bias"].sizes(), (std::vector<std::int64_t>{8}));
    EXPECT_EQ(parameters["model.layers.1.mlp.up_proj.bias"].sizes(), (std::vector<std::int64_t>{24}));
    EXPECT_EQ(parameterCount(model), config::findModel("llama-tiny", "").family->parameters(fields));
}

// With the three weights one below the other it computes what they compute.
TEST(LlamaTest, oneProjectionOfQueriesKeysAndValuesComputesWhatThreeCompute)
{
    requireValues();
    for (const bool hasBias : {false, true}) {
        const config::ValueMap given{{"attention_bias", hasBias}};
        Llama separate(fieldsOf(given), onTestDevice(at::kDouble));
        config::ValueMap withOne = given;
        withOne["fused_qkv"] = true;
        Llama fused(fieldsOf(withOne), onTestDevice(at::kDouble));
        EXPECT_EQ(parameterCount(fused), config::findModel("llama-tiny", "").family->parameters(fieldsOf(withOne)));
        reference::fillParameters(separate);
        const torch::NoGradGuard noGradients;
        const auto from = separate.named_parameters();
        for (auto& item : fused.named_parameters()) {
            const std::string& key = item.key();
            const auto at = key.find("qkv_proj");
            if (at == std::string::npos) {
                item.value().copy_(from[key]);
                continue;
            }
            std::vector<at::Tensor> parts;
            for (const char* name : {"q_proj", "k_proj", "v_proj"})
                parts.push_back(from[key.substr(0, at) + name + key.substr(at + 8)]);
            item.value().copy_(at::cat(parts));
        }
        const Inputs inputs{{"input_ids", at::randint(48, {2, 6}, onTestDevice(at::kLong))}};
        EXPECT_TRUE(at::allclose(fused.forward(inputs), separate.forward(inputs), 1e-12, 1e-14));
    }
}

TEST(LlamaTest, freshWeightsAreNormalAndNormsAreOne)
{
    requireValues();
    at::manual_seed(3);
    Llama model(
        fieldsOf({{"hidden_size", 64}, {"vocab_size", 500}, {"initializer_range", 0.05}}), onTestDevice(at::kFloat));
    initialise(model);
    for (const auto& item : model.named_parameters()) {
        const bool isNorm = item.key().find("norm") != std::string::npos;
        const double deviation = item.value().std().item<double>();
        EXPECT_NEAR(deviation, isNorm ? 0.0 : 0.05, isNorm ? 0.0 : 0.006) << item.key();
        EXPECT_NEAR(item.value().mean().item<double>(), isNorm ? 1.0 : 0.0, 0.01) << item.key();
    }
}

TEST(LlamaTest, inputsAreTokensOfTheVocabulary)
{
    requireValues();
    config::Configuration configuration = config::defaultConfiguration("llama-tiny", "");
    configuration.workload.shapes["sequence_length"] = 500;
    const at::Tensor ids = llamaInputs(configuration, onTestDevice(at::kFloat)).at("input_ids");
    EXPECT_EQ(ids.sizes(), (std::vector<std::int64_t>{2, 500}));
    EXPECT_EQ(ids.scalar_type(), at::kLong);
    EXPECT_EQ(ids.min().item<std::int64_t>(), 0);
    EXPECT_EQ(ids.max().item<std::int64_t>(), 47);
}

} // namespace
} // namespace headroom::models::llama_test
