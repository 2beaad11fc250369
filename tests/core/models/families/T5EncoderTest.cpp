// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/T5Encoder.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/models/families/PlainT5.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace headroom::models::t5_encoder_test {
namespace {

using reference::Matrix;
using reference::Text;

// Everything is float64, in another order of sums.
constexpr double kTolerance = 1e-12;

const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);

config::ValueMap fieldsOf(const config::ValueMap& given)
{
    return headroom::fieldsOf("t5-v1.1-tiny", given);
}

config::ValueMap with(config::ValueMap fields, const std::string& name, const config::Value& value)
{
    fields[name] = value;
    return fields;
}

/// A small encoder with weights everywhere, and texts for it.
struct Sample {
    explicit Sample(unsigned seed)
        : random(seed)
    {
        const bool isPublished = between(0, 1) == 0;
        fields = fieldsOf({{"d_model", between(3, 20)}, {"d_kv", between(1, 9)}, {"num_heads", between(1, 5)},
            {"d_ff", between(2, 30)}, {"num_layers", between(1, 3)}, {"vocab_size", between(4, 40)},
            {"relative_attention_num_buckets", isPublished ? 32 : 8},
            {"relative_attention_max_distance", isPublished ? 128 : 11}, {"layer_norm_epsilon", 0.01}});
        model = std::make_unique<T5Encoder>(fields, onTestDevice(at::kDouble));
        reference::fillParameters(*model);
        const std::int64_t batch = between(1, 3), tokens = between(1, 24);
        for (std::int64_t i = 0; i < batch; ++i) {
            Text text{{}, std::vector<bool>(static_cast<std::size_t>(tokens), true)};
            for (std::int64_t token = 0; token < tokens; ++token)
                text.tokens.push_back(between(0, fields.at("vocab_size").integer() - 1));
            texts.push_back(text);
        }
    }

    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    }

    template <typename Member> at::Tensor stacked(Member Text::* member) const
    {
        std::vector<at::Tensor> rows;
        for (const Text& text : texts)
            rows.push_back(
                at::tensor(std::vector<std::int64_t>((text.*member).begin(), (text.*member).end())).to(testDevice()));
        return at::stack(rows);
    }

    Inputs inputs() const { return {{"input_ids", stacked(&Text::tokens)}}; }

    Matrix expected(const Text& text) const
    {
        return reference::plainT5Encoder(fields, reference::parametersOf(*model), text);
    }

    std::mt19937 random;
    config::ValueMap fields;
    std::unique_ptr<T5Encoder> model;
    std::vector<Text> texts;
};

void expectFormulas(const Sample& sample, const at::Tensor& output, unsigned seed)
{
    for (std::int64_t i = 0; i < output.size(0); ++i)
        EXPECT_LE(reference::relativeDifference(reference::matrixOf(output[i]).values,
                      sample.expected(sample.texts[static_cast<std::size_t>(i)]).values),
            kTolerance)
            << "seed " << seed << ", text " << i;
}

TEST(T5EncoderTest, hiddenStatesAreThoseOfTheFormulas)
{
    requireValues();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Sample sample(seed);
        expectFormulas(sample, sample.model->forward(sample.inputs()), seed);
    }
}

// Texts that are padding altogether too: the lowest number leaves nothing of the scores, so that all keys weigh alike.
TEST(T5EncoderTest, paddingIsSeenByNobody)
{
    requireValues();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Sample sample(seed);
        for (Text& text : sample.texts)
            for (std::size_t i = 0; i < text.isKept.size(); ++i)
                text.isKept[i] = sample.between(0, 2) > 0;
        if (seed % 5 == 0)
            sample.texts.front().isKept.assign(sample.texts.front().isKept.size(), false);
        Inputs inputs = sample.inputs();
        inputs["attention_mask"] = sample.stacked(&Text::isKept);
        expectFormulas(sample, sample.model->forward(inputs), seed);
    }
}

// Along one direction through all parameters, the table of distances among them, by central differences.
TEST(T5EncoderTest, gradientsAreTheSlopesOfTheFormulas)
{
    requireValues();
    constexpr double kStep = 1e-5;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Sample sample(seed);
        sample.model->forward(sample.inputs()).square().sum().backward();
        at::manual_seed(seed);
        double slope = 0;
        std::vector<at::Tensor> directions;
        for (const at::Tensor& parameter : sample.model->parameters()) {
            directions.push_back(at::randn_like(parameter.detach()));
            slope += (parameter.grad() * directions.back()).sum().item<double>();
        }
        const auto squaresAt = [&](double distance) {
            const torch::NoGradGuard noGradients;
            const auto parameters = sample.model->parameters();
            const auto move = [&](double by) {
                for (std::size_t i = 0; i < parameters.size(); ++i)
                    at::Tensor(parameters[i]).add_(directions[i], by);
            };
            move(distance);
            double squares = 0;
            for (const Text& text : sample.texts)
                for (const double value : sample.expected(text).values)
                    squares += value * value;
            move(-distance);
            return squares;
        };
        const double expected = (squaresAt(kStep) - squaresAt(-kStep)) / (2 * kStep);
        EXPECT_NEAR(slope, expected, 2e-5 * (std::abs(expected) + 1)) << seed;
    }
}

TEST(T5EncoderTest, bucketsOfDistancesAreTheFormulas)
{
    requireValues();
    for (const auto& [buckets, farthest] :
        std::vector<std::pair<std::int64_t, std::int64_t>>{{32, 128}, {8, 11}, {4, 2}}) {
        constexpr std::int64_t kTokens = 300;
        const at::Tensor places = at::arange(kTokens, onTestDevice(at::kLong));
        const at::Tensor onDevice = relativePositionBuckets(places - places.unsqueeze(1), buckets, farthest);
        const at::Tensor found = onHost(onDevice).contiguous();
        const auto* values = found.const_data_ptr<std::int64_t>();
        for (std::int64_t query = 0; query < kTokens; ++query)
            for (std::int64_t key = 0; key < kTokens; ++key)
                ASSERT_EQ(values[query * kTokens + key], reference::plainBucket(key - query, buckets, farthest))
                    << key - query << " of " << buckets << ", " << farthest;
    }
}

TEST(T5EncoderTest, theFullModelHasUpstreamsTensorsAndNames)
{
    const T5Encoder model(config::defaultConfiguration("t5-v1.1-xxl", "").modelFields, kMeta);
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameterCount(model), 4762310656);
    EXPECT_EQ(parameters.size(), 24U * 9 + 3) << "four and three Linears and two norms in a block";
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("shared.weight", {32128, 4096});
    expectShape("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {32, 64});
    expectShape("encoder.block.23.layer.0.SelfAttention.q.weight", {4096, 4096});
    expectShape("encoder.block.23.layer.0.SelfAttention.o.weight", {4096, 4096});
    expectShape("encoder.block.7.layer.0.layer_norm.weight", {4096});
    expectShape("encoder.block.7.layer.1.DenseReluDense.wi_0.weight", {10240, 4096});
    expectShape("encoder.block.7.layer.1.DenseReluDense.wi_1.weight", {10240, 4096});
    expectShape("encoder.block.7.layer.1.DenseReluDense.wo.weight", {4096, 10240});
    expectShape("encoder.block.7.layer.1.layer_norm.weight", {4096});
    expectShape("encoder.final_layer_norm.weight", {4096});
    EXPECT_EQ(parameters.find("encoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight"), nullptr);
}

TEST(T5EncoderTest, freshWeightsAreAsWideAsUpstreamsAre)
{
    requireValues();
    at::manual_seed(3);
    T5Encoder model(
        fieldsOf({{"d_model", 64}, {"d_kv", 16}, {"d_ff", 100}, {"vocab_size", 500}, {"initializer_factor", 2.0}}),
        onTestDevice(at::kFloat));
    initialise(model);
    const auto parameters = model.named_parameters();
    const auto expectDeviation = [&](const char* name, double expected) {
        EXPECT_NEAR(parameters[name].std().item<double>() / expected, 1, 0.1) << name;
    };
    expectDeviation("shared.weight", 2);
    expectDeviation("encoder.block.1.layer.0.SelfAttention.q.weight", 2 / std::sqrt(64.0 * 16));
    expectDeviation("encoder.block.1.layer.0.SelfAttention.k.weight", 2 / std::sqrt(64.0));
    expectDeviation("encoder.block.1.layer.0.SelfAttention.o.weight", 2 / std::sqrt(64.0));
    expectDeviation("encoder.block.1.layer.1.DenseReluDense.wi_1.weight", 2 / std::sqrt(64.0));
    expectDeviation("encoder.block.1.layer.1.DenseReluDense.wo.weight", 2 / std::sqrt(100.0));
    EXPECT_TRUE(sameNumbers(parameters["encoder.final_layer_norm.weight"], at::ones({64}, onTestDevice())));
}

TEST(T5EncoderTest, dropsInTrainingAlone)
{
    requireValues();
    config::Configuration configuration = config::defaultConfiguration("t5-v1.1-tiny", "");
    configuration.modelFields["dropout_rate"] = 0.5;
    T5Encoder model(configuration.modelFields, onTestDevice(at::kDouble));
    reference::fillParameters(model);
    at::manual_seed(7);
    const Inputs inputs = t5EncoderInputs(configuration, onTestDevice(at::kDouble));
    model.eval();
    const at::Tensor whole = model.forward(inputs);
    EXPECT_TRUE(sameNumbers(model.forward(inputs), whole));
    model.train();
    const at::Tensor dropped = model.forward(inputs);
    EXPECT_FALSE(sameBits(model.forward(inputs), dropped));
    EXPECT_NEAR((dropped == 0).to(at::kDouble).mean().item<double>(), 0.5, 0.15) << "the last dropout's share";
}

// What upstream keeps wo for: a feed-forward may give more than float16 holds, and the norm behind it brings that back.
TEST(T5EncoderTest, inFloat16TheFeedForwardsGiveFloat32)
{
    requireValues();
    const config::ValueMap given{{"d_model", 16}, {"d_ff", 24}, {"num_layers", 2}};
    const auto outputOf = [&](bool isKept, at::ScalarType type) {
        T5Encoder model(fieldsOf(with(given, "keep_in_fp32_modules", isKept)), onTestDevice(type));
        model.eval();
        reference::fillParameters(model);
        for (const auto& item : model.named_parameters())
            if (item.key().ends_with("wo.weight")) {
                EXPECT_EQ(item.value().scalar_type(), isKept && type == at::kHalf ? at::kFloat : type) << item.key();
                const torch::NoGradGuard noGradients;
                at::Tensor(item.value()).mul_(20000);
            } else if (item.key().ends_with("wi_1.weight")) {
                const torch::NoGradGuard noGradients;
                at::Tensor(item.value()).mul_(100);
            }
        const torch::NoGradGuard noGradients;
        return model.forward({{"input_ids", at::arange(6, onTestDevice(at::kLong)).view({1, 6})}});
    };
    const at::Tensor expected = outputOf(true, at::kDouble), kept = outputOf(true, at::kHalf);
    EXPECT_EQ(kept.scalar_type(), at::kHalf);
    EXPECT_LE((kept.to(at::kDouble) - expected).norm().item<double>(), 0.01 * expected.norm().item<double>());
    // Clamped: no infinities, but other numbers.
    const at::Tensor clamped = outputOf(false, at::kHalf);
    EXPECT_TRUE(clamped.isfinite().all().item<bool>());
    EXPECT_GT((clamped.to(at::kDouble) - expected).norm().item<double>(), 0.01 * expected.norm().item<double>());
    EXPECT_TRUE(sameNumbers(outputOf(true, at::kBFloat16), outputOf(false, at::kBFloat16)));
}

/// Copies of tensors of [1, heads, tokens, tokens].
class CopiesOfBias final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override
    {
        if (call.op.schema().name() != "aten::clone")
            return;
        const at::Tensor& copied = call.stack[call.stack.size() - call.op.schema().arguments().size()].toTensor();
        count += copied.dim() == 4 && copied.size(2) == copied.size(3);
    }
    void after(const tensor::OpCall&) override { }

    int count = 0;
};

// transformers/integrations/sdpa_attention.py: create_position_bias_mask(…) ends with .contiguous(), in each layer.
TEST(T5EncoderTest, eachLayersAttentionGetsACopyOfTheBias)
{
    const torch::NoGradGuard noGradients;
    T5Encoder model(fieldsOf({}), onTestDevice(at::kBFloat16));
    CopiesOfBias copies;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(copies);
    const tensor::OpInterceptor::Scope interception(interceptor);
    model.forward({{"input_ids", at::zeros({1, 7}, onTestDevice(at::kLong))}});
    EXPECT_EQ(copies.count, fieldsOf({}).at("num_layers").integer());
}

} // namespace
} // namespace headroom::models::t5_encoder_test
