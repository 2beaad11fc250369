// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/CogVideoX.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/blocks/CogVideoXPatchEmbedding.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/models/families/OtherBuffers.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/Norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::models::cog_video_x_test {
namespace {

constexpr double kRelative = 1e-5;
const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);

/// Positions added to the tokens instead of rotary ones.
config::ValueMap addedPositions(config::ValueMap given = {})
{
    given["use_rotary_positional_embeddings"] = false;
    return fieldsOf("cogvideox-tiny", given);
}

Inputs referenceInputs(std::int64_t frames = 2, std::int64_t height = 6, std::int64_t width = 8)
{
    return {{"hidden_states", reference::filled({2, frames, 4, height, width}, reference::kHiddenSeed)},
        {"encoder_hidden_states", reference::filled({2, 5, 12}, reference::kTextSeed)},
        {"timestep", at::tensor({500.0, 37.0}).to(testDevice())}};
}

void expectNear(double value, double expected, const std::string& what)
{
    EXPECT_NEAR(value, expected, kRelative * std::abs(expected)) << what;
}

struct Expected {
    double norm;
    std::vector<std::pair<int, double>> elements;
    double loss;
    double gradientNorm;
};

void expectReference(const config::ValueMap& fields, const Expected& expected)
{
    CogVideoX model(fields, onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const at::Tensor output = model.forward(referenceInputs());
    const at::Tensor loss = output.square().mean();
    loss.backward();
    EXPECT_EQ(parameterCount(model), 36744);
    EXPECT_EQ(output.sizes(), (std::vector<std::int64_t>{2, 2, 4, 6, 8}));
    expectNear(l2Norm(output), expected.norm, "output");
    for (const auto& [index, value] : expected.elements)
        EXPECT_NEAR(output.flatten()[index].item<double>(), value, kRelative * std::max(1.0, std::abs(value)))
            << "element " << index;
    expectNear(loss.item<double>(), expected.loss, "loss");
    expectNear(gradientNorm(model), expected.gradientNorm, "gradient norm");
}

TEST(CogVideoXTest, outputsAndGradientsWithRotaryPositionsAreUpstreams)
{
    requireValues();
    expectReference(fieldsOf("cogvideox-tiny"),
        {23.639488, {{0, -1.2086626}, {1, 0.66432464}, {384, -0.13444534}, {766, 0.61330664}, {767, -0.80767858}},
            0.72763729, 1.3264173});
}

TEST(CogVideoXTest, outputsAndGradientsWithAddedPositionsAreUpstreams)
{
    requireValues();
    expectReference(addedPositions(),
        {22.381802, {{0, -0.81706977}, {1, -0.30704024}, {384, 0.040370524}, {767, -0.23547482}}, 0.65227216,
            1.5736578});
}

/// A feed-forward's input, from when it is computed.
using WatchedInput = std::optional<c10::weak_intrusive_ptr<c10::StorageImpl>>;

class WatchedFeedForward final : public FeedForwardExecution {
public:
    explicit WatchedFeedForward(WatchedInput& input)
        : m_input(input)
    {
    }
    at::Tensor run(const FeedForward& layer, const at::Tensor& input) override
    {
        const at::Tensor output = layer.forwardPlain(input);
        m_input = input.storage().getWeakStorageImpl();
        return output;
    }

private:
    WatchedInput& m_input;
};

/// The ops after the feed-forward, each with whether its input is there.
class OpsAfterFeedForward final : public tensor::OpObserver {
public:
    explicit OpsAfterFeedForward(const WatchedInput& input)
        : m_input(input)
    {
    }
    void before(const tensor::OpCall& call) override
    {
        if (m_input && (call.op.schema().name() == "aten::mul" || call.op.schema().name() == "aten::add"))
            ops.push_back(call.op.schema().name() + (m_input->expired() ? ": gone" : ": there"));
    }
    void after(const tensor::OpCall&) override { }

    std::vector<std::string> ops;

private:
    const WatchedInput& m_input;
};

// Upstream's code has a name for it until the block ends, so the last sums are computed beside it.
TEST(CogVideoXTest, theFeedForwardsInputIsThereUntilTheBlockEnds)
{
    const torch::NoGradGuard noGradients;
    CogVideoXBlock block(fieldsOf("cogvideox-tiny"), at::kFloat);
    WatchedInput input;
    block.feedForward().setExecution(std::make_unique<WatchedFeedForward>(input));
    OpsAfterFeedForward after(input);
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(after);
    const tensor::OpInterceptor::Scope interception(interceptor);
    block.forward({at::ones({2, 24, 32}), at::ones({2, 5, 32})}, {at::ones({2, 10}), {}});
    EXPECT_THAT(after.ops,
        testing::ElementsAre("aten::mul: there", "aten::add: there", "aten::mul: there", "aten::add: there"));
    EXPECT_TRUE(input && input->expired());
}

TEST(CogVideoXTest, theFullModelsHaveUpstreamsTensorsAndNames)
{
    const CogVideoX model(fieldsOf("cogvideox-5b"), kMeta);
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameterCount(model), 5570283072);
    EXPECT_EQ(parameters.size(), 1024U);
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("patch_embed.proj.weight", {3072, 16, 2, 2});
    expectShape("patch_embed.proj.bias", {3072});
    expectShape("patch_embed.text_proj.weight", {3072, 4096});
    expectShape("time_embedding.linear_1.weight", {512, 3072});
    expectShape("time_embedding.linear_2.weight", {512, 512});
    expectShape("transformer_blocks.41.norm1.linear.weight", {18432, 512});
    expectShape("transformer_blocks.0.norm1.norm.bias", {3072});
    expectShape("transformer_blocks.0.attn1.norm_q.weight", {64});
    expectShape("transformer_blocks.0.attn1.norm_k.bias", {64});
    expectShape("transformer_blocks.7.attn1.to_out.0.bias", {3072});
    expectShape("transformer_blocks.7.norm2.norm.weight", {3072});
    expectShape("transformer_blocks.7.ff.net.0.proj.weight", {12288, 3072});
    expectShape("transformer_blocks.7.ff.net.2.weight", {3072, 12288});
    expectShape("norm_final.weight", {3072});
    expectShape("norm_out.linear.weight", {6144, 512});
    expectShape("norm_out.norm.bias", {3072});
    expectShape("proj_out.weight", {64, 3072});
    EXPECT_EQ(model.buffers().size(), 0U) << "rotary positions are an input";
}

TEST(CogVideoXTest, addedPositionsAreABufferThatNoFileHas)
{
    const CogVideoX model(fieldsOf("cogvideox-2b"), kMeta);
    EXPECT_EQ(parameterCount(model), 1693783872);
    EXPECT_EQ(model.parameters().size(), 736U);
    const auto buffers = model.named_buffers();
    ASSERT_EQ(buffers.size(), 1U);
    EXPECT_EQ(buffers["patch_embed.pos_embedding"].sizes(), (std::vector<std::int64_t>{1, 17776, 1920}));
    EXPECT_EQ(buffers["patch_embed.pos_embedding"].scalar_type(), at::kDouble)
        << "as diffusers' from_pretrained(torch_dtype=torch.bfloat16) leaves it";
    EXPECT_THAT(buffersOutside<CogVideoXPatchEmbedding>(model), testing::IsEmpty());
}

// Nought for the text; of 32 channels 8 encode the frame, 12 the column, 12 the row, sines before cosines.
TEST(CogVideoXTest, addedPositionsEncodeFrameColumnAndRow)
{
    requireValues();
    const config::CogVideoXLatent latent{3, 6, 8};
    const at::Tensor table = cogVideoXPositions(latent, 5, 32, {2.0, 1.0}, onTestDevice());
    ASSERT_EQ(table.sizes(), (std::vector<std::int64_t>{1, 5 + 3 * 3 * 4, 32}));
    EXPECT_EQ(table.scalar_type(), at::kDouble);
    EXPECT_EQ(table[0].slice(0, 0, 5).abs().max().item<double>(), 0);
    const at::Tensor token = table[0][5 + (2 * 3 + 1) * 4 + 3];
    const auto expectEncoded = [&](std::int64_t first, std::int64_t width, double position) {
        for (std::int64_t j = 0; j < width / 2; ++j) {
            const double angle =
                position * std::pow(10000.0, -2.0 * static_cast<double>(j) / static_cast<double>(width));
            EXPECT_NEAR(token[first + j].item<double>(), std::sin(angle), 1e-12) << first << " " << j;
            EXPECT_NEAR(token[first + width / 2 + j].item<double>(), std::cos(angle), 1e-12) << first << " " << j;
        }
    };
    expectEncoded(0, 8, 2);
    expectEncoded(8, 12, 1.5);
    expectEncoded(20, 12, 0.5);
}

// At the sample's size integers; a video of another shape is stretched over the part of the grid that has its shape.
TEST(CogVideoXTest, rotaryPositionsAreStretchedToTheSamplesGrid)
{
    requireValues();
    const config::CogVideoXLatent sample{13, 60, 90};
    const auto angles = [&](const config::CogVideoXLatent& latent, std::int64_t token) {
        const RotaryTables tables = cogVideoXRotaryTables(latent, sample, 64, onTestDevice());
        const auto angle = [&](std::int64_t channel) {
            return std::atan2(
                tables.sines[token][channel].item<double>(), tables.cosines[token][channel].item<double>());
        };
        return std::vector<double>{angle(0), angle(16), angle(40)};
    };
    const auto isAngle = [](double value) {
        return testing::DoubleNear(std::remainder(value, 2 * std::acos(-1.0)), 2e-6);
    };
    EXPECT_THAT(angles(sample, (2 * 30 + 3) * 45 + 4), testing::ElementsAre(isAngle(2), isAngle(3), isAngle(4)));
    // 20 x 20 patches: 30 x 30 of the grid from column 8 (7.5, to the even one) on; the last row is at 30 * 19 / 20.
    EXPECT_THAT(angles({2, 40, 40}, (1 * 20 + 19) * 20 + 19),
        testing::ElementsAre(isAngle(1), isAngle(28.5), isAngle(38 * 19.0 / 20)));
}

TEST(CogVideoXTest, rotaryTablesThatAreGivenAreThoseThatItMakes)
{
    requireValues();
    CogVideoX model(fieldsOf("cogvideox-tiny"), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    Inputs inputs = referenceInputs();
    const at::Tensor expected = model.forward(inputs);
    const RotaryTables rotary = cogVideoXRotaryTables({2, 6, 8}, {2, 6, 8}, 16, onTestDevice());
    inputs["image_rotary_emb.0"] = rotary.cosines;
    inputs["image_rotary_emb.1"] = rotary.sines;
    EXPECT_TRUE(sameNumbers(model.forward(inputs), expected));
    inputs["image_rotary_emb.0"] = at::ones_like(rotary.cosines);
    inputs["image_rotary_emb.1"] = at::zeros_like(rotary.sines);
    EXPECT_FALSE(sameBits(model.forward(inputs), expected));
}

// A model made for another size gives what one made for this size does.
TEST(CogVideoXTest, addedPositionsOfOtherExtentsAreMadeForThem)
{
    requireValues();
    const auto output = [](const config::ValueMap& sample) {
        CogVideoX model(addedPositions(sample), onTestDevice(at::kFloat));
        reference::fillParameters(model);
        return model.forward(referenceInputs(2, 6, 8));
    };
    EXPECT_TRUE(sameNumbers(output({}), output({{"sample_width", 12}, {"sample_frames", 9}})));
}

TEST(CogVideoXTest, sinesMayComeFirstAndFrequenciesBeShifted)
{
    requireValues();
    const auto output = [](const config::ValueMap& given) {
        CogVideoX model(fieldsOf("cogvideox-tiny", given), onTestDevice(at::kFloat));
        reference::fillParameters(model);
        return model.forward(referenceInputs());
    };
    const at::Tensor plain = output({});
    EXPECT_FALSE(sameBits(output({{"flip_sin_to_cos", false}}), plain));
    EXPECT_FALSE(sameBits(output({{"freq_shift", 1}}), plain));
    const at::Tensor shifted = sinusoids(at::tensor({3.0}).to(testDevice()), 8, 1)[0];
    for (std::int64_t j = 0; j < 4; ++j)
        EXPECT_NEAR(shifted[j].item<double>(), std::cos(3 * std::pow(10000.0, -static_cast<double>(j) / 3)), 1e-6);
}

TEST(CogVideoXTest, dropoutDropsInTrainingOnly)
{
    requireValues();
    CogVideoX model(fieldsOf("cogvideox-tiny", {{"dropout", 0.5}}), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const auto isRepeatable = [&] {
        return sameNumbers(model.forward(referenceInputs()), model.forward(referenceInputs()));
    };
    model.train();
    EXPECT_FALSE(isRepeatable());
    model.eval();
    EXPECT_TRUE(isRepeatable());
}

// Where a technique runs a block again it has to come out the same, with nothing but the block's inputs: what is turned
// in place is none of them.
TEST(CogVideoXTest, blocksAreRunThroughTheInstalledExecution)
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
    CogVideoX model(fieldsOf("cogvideox-tiny"), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const at::Tensor plain = model.forward(referenceInputs());
    std::vector<std::int64_t> order;
    auto twice = std::make_unique<Twice>();
    twice->order = &order;
    model.setBlockExecution(std::move(twice));
    EXPECT_TRUE(sameNumbers(model.forward(referenceInputs()), plain));
    EXPECT_THAT(order, testing::ElementsAre(0, 1));
}

TEST(CogVideoXTest, inputsHaveTheLatentShapes)
{
    const Inputs inputs = cogVideoXInputs(config::defaultConfiguration("cogvideox-5b", ""), kMeta);
    EXPECT_EQ(inputs.at("hidden_states").sizes(), (std::vector<std::int64_t>{1, 13, 16, 60, 90}));
    EXPECT_EQ(inputs.at("encoder_hidden_states").sizes(), (std::vector<std::int64_t>{1, 226, 4096}));
    EXPECT_EQ(inputs.at("image_rotary_emb.0").sizes(), (std::vector<std::int64_t>{17550, 64}));
    EXPECT_EQ(inputs.at("image_rotary_emb.1").scalar_type(), at::kFloat);
    EXPECT_FALSE(
        cogVideoXInputs(config::defaultConfiguration("cogvideox-2b", ""), kMeta).contains("image_rotary_emb.0"));
}

} // namespace
} // namespace headroom::models::cog_video_x_test
