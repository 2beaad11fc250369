// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/LtxVideo.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/reference/ReferenceValues.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/Norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace headroom::models::ltx_video_test {
namespace {

using nlohmann::json;

constexpr double kRelative = 1e-5;
constexpr std::uint32_t kTimestepSeed = 9004;
constexpr std::uint32_t kCoordinateSeed = 9005;

const json& reference()
{
    static const json values = reference::valuesOf("ltx-video.json");
    return values;
}

config::Value toValue(const json& value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    return value.is_number() ? config::Value(value.get<double>()) : config::Value(value.get<std::string>());
}

config::ValueMap fieldsOf(const json& test)
{
    config::ValueMap given;
    for (const auto& [name, value] : test.at("fields").items())
        given[name] = toValue(value);
    return headroom::fieldsOf("ltx-video-tiny", given);
}

void append(const json& value, std::vector<float>& values)
{
    if (!value.is_array())
        values.push_back(value.get<float>());
    else
        for (const json& item : value)
            append(item, values);
}

at::Tensor tensorOf(const json& value)
{
    std::vector<float> values;
    append(value, values);
    std::vector<std::int64_t> shape;
    for (const json* level = &value; level->is_array(); level = &level->front())
        shape.push_back(static_cast<std::int64_t>(level->size()));
    return at::tensor(values).to(testDevice()).view(shape);
}

// u of the fill rule in [0, 1), times the factor of its place along the second dimension.
at::Tensor unitValues(at::IntArrayRef shape, std::uint32_t seed, const std::vector<double>& factors)
{
    at::Tensor tensor = at::empty(shape, at::kFloat);
    const auto inner = tensor.numel() / shape[0] / shape[1];
    float* values = tensor.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        const auto place = static_cast<std::size_t>(i / inner % shape[1]) % factors.size();
        values[i] = static_cast<float>(factors[place] * reference::unitValue(static_cast<std::uint32_t>(i), seed));
    }
    return tensor.to(testDevice());
}

Inputs inputsOf(const json& test, const config::ValueMap& fields)
{
    const std::int64_t batch = test.at("batch");
    const auto latent = test.at("latent").get<std::vector<std::int64_t>>();
    const std::int64_t tokens = latent[0] * latent[1] * latent[2];
    Inputs inputs;
    inputs["hidden_states"] =
        reference::filled({batch, tokens, fields.at("in_channels").integer()}, reference::kHiddenSeed);
    inputs["encoder_hidden_states"] =
        reference::filled({batch, test.at("text_tokens").get<std::int64_t>(), fields.at("caption_channels").integer()},
            reference::kTextSeed);
    inputs["timestep"] = test.at("timestep") == "per-token" ? unitValues({batch, tokens}, kTimestepSeed, {1000})
                                                            : tensorOf(test.at("timestep"));
    const char* extents[] = {"num_frames", "height", "width"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        inputs[extents[axis]] = at::full({1}, latent[axis], onTestDevice(at::kLong));
    if (test.contains("mask"))
        inputs["encoder_attention_mask"] = tensorOf(test.at("mask"));
    if (test.contains("mask3d"))
        inputs["encoder_attention_mask"] = tensorOf(test.at("mask3d"));
    if (test.contains("rope_interpolation_scale"))
        inputs["rope_interpolation_scale"] = tensorOf(test.at("rope_interpolation_scale"));
    if (test.contains("video_coords"))
        inputs["video_coords"] = unitValues({batch, 3, tokens}, kCoordinateSeed, {10, 512, 768});
    return inputs;
}

void expectNear(double value, double expected, const std::string& what, double floor = 0)
{
    EXPECT_NEAR(value, expected, kRelative * std::abs(expected) + floor) << what;
}

void expectGradients(const LtxVideo& model, const json& expected)
{
    const auto parameters = model.named_parameters();
    expectNear(gradientNorm(model), expected.at("gradient_norm"), "gradient norm");
    // Some gradients are nought but for what rounding leaves of sums that are as large as the others (keys of a text of
    // one token): a few units in the last place of the whole.
    const double rounding = 1e-6 * expected.at("gradient_norm").get<double>();
    for (const auto& [name, value] : expected.at("gradient_l2").items())
        expectNear(l2Norm(parameters[name].grad()), value, name, rounding);
}

class LtxVideoReferenceTest : public testing::TestWithParam<std::size_t> { };

TEST_P(LtxVideoReferenceTest, outputsAndGradientsAreUpstreams)
{
    const json& test = reference().at("cases").at(GetParam());
    const json& expected = test.at("expected");
    const config::ValueMap fields = fieldsOf(test);
    LtxVideo model(fields, onTestDevice(at::kFloat));
    reference::fillParameters(model);
    Inputs inputs = inputsOf(test, fields);
    inputs["hidden_states"].requires_grad_(true);
    const at::Tensor output = model.forward(inputs);
    const at::Tensor loss = output.square().mean();
    loss.backward();
    expectNear(l2Norm(output), expected.at("output_l2"), "output");
    for (const auto& [index, value] : expected.at("elements").items())
        EXPECT_NEAR(output.flatten()[std::stol(index)].item<double>(), value, 5e-6) << "element " << index;
    expectNear(loss.item<double>(), expected.at("loss"), "loss");
    expectGradients(model, expected);
    expectNear(l2Norm(inputs["hidden_states"].grad()), expected.at("input_gradient_l2"), "input gradient");
    EXPECT_EQ(parameterCount(model), expected.at("parameters").get<std::int64_t>());
    EXPECT_EQ(model.named_parameters().size(), expected.at("tensors").get<std::size_t>());
}

std::string nameOf(const testing::TestParamInfo<std::size_t>& info)
{
    std::string name = reference().at("cases").at(info.param).at("name");
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, LtxVideoReferenceTest, testing::Range(std::size_t{0}, reference().at("cases").size()), nameOf);

TEST(LtxVideoTest, theFullModelHasUpstreamsTensorsAndNames)
{
    const config::Configuration configuration = config::defaultConfiguration("ltx-video-2b", "");
    const LtxVideo model(configuration.modelFields, at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16));
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameterCount(model), 1923385472);
    EXPECT_EQ(parameters.size(), 715U);
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("scale_shift_table", {2, 2048});
    expectShape("proj_in.weight", {2048, 128});
    expectShape("time_embed.emb.timestep_embedder.linear_1.weight", {2048, 256});
    expectShape("time_embed.linear.bias", {12288});
    expectShape("caption_projection.linear_1.weight", {2048, 4096});
    expectShape("transformer_blocks.27.scale_shift_table", {6, 2048});
    expectShape("transformer_blocks.0.attn1.norm_k.weight", {2048});
    expectShape("transformer_blocks.13.attn2.to_out.0.weight", {2048, 2048});
    expectShape("transformer_blocks.5.ff.net.0.proj.bias", {8192});
    expectShape("transformer_blocks.5.ff.net.2.weight", {2048, 8192});
    expectShape("proj_out.bias", {128});
}

TEST(LtxVideoTest, theRotaryTablesOfTheFullModelAreUpstreams)
{
    requireValues();
    const config::LtxLatent latent{11, 16, 24};
    const GridOptions grid{1, 1, GridScale{0.32, 32, 32}};
    const RotaryTables tables = ltxRotaryTables(latentGrid(latent, 1, grid, onTestDevice(at::kFloat)), 2048);
    EXPECT_NEAR(tables.cosines.sum(at::kDouble).item<double>(), -291614.33, 1e-4 * 291614.33);
    EXPECT_NEAR(tables.sines.sum(at::kDouble).item<double>(), -513094.89, 1e-4 * 513094.89);
    const auto cosine = [&](int token, int j) { return tables.cosines[0][token][j].item<double>(); };
    EXPECT_NEAR(tables.sines[0][0][2].item<double>(), -1, 1e-6);
    EXPECT_NEAR(cosine(0, 8), -0.0431199, 1e-5);
    EXPECT_NEAR(cosine(1, 6), 0.0490676, 1e-5);
    EXPECT_NEAR(cosine(24, 4), 0.0490676, 1e-5);
    EXPECT_NEAR(cosine(384, 2), 0.0502443, 1e-5);
    EXPECT_NEAR(cosine(4223, 4), 0.6715589, 1e-4);
}

TEST(LtxVideoTest, sinusoidsAreCosinesThenSines)
{
    requireValues();
    const at::Tensor values = sinusoids(at::tensor({500.0}).to(testDevice()), 256)[0];
    const double expected[][2] = {{0, -0.8838493}, {1, 0.9459457}, {2, 0.8485069}, {128, -0.4677718}, {129, 0.3243249}};
    for (const auto& [index, value] : expected)
        EXPECT_NEAR(values[static_cast<std::int64_t>(index)].item<double>(), value, 2e-5) << index;
}

// Where a technique runs a block again it has to come out the same, with nothing but the block's inputs.
TEST(LtxVideoTest, blocksAreRunThroughTheInstalledExecution)
{
    requireValues();
    struct Twice final : BlockExecution {
        std::vector<at::Tensor> run(
            std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs) override
        {
            order->push_back(index);
            EXPECT_TRUE(sameNumbers(forward(inputs)[0], forward(inputs)[0]));
            return forward(inputs);
        }
        std::vector<std::int64_t>* order;
    };
    const config::Configuration configuration = config::defaultConfiguration("ltx-video-tiny", "");
    LtxVideo model(configuration.modelFields, onTestDevice(at::kFloat));
    reference::fillParameters(model);
    at::manual_seed(3);
    const Inputs inputs = ltxVideoInputs(configuration, onTestDevice(at::kFloat));
    const at::Tensor plain = model.forward(inputs);
    std::vector<std::int64_t> order;
    auto twice = std::make_unique<Twice>();
    twice->order = &order;
    model.setBlockExecution(std::move(twice));
    EXPECT_TRUE(sameNumbers(model.forward(inputs), plain));
    EXPECT_THAT(order, testing::ElementsAre(0, 1));
}

TEST(LtxVideoTest, inputsHaveTheLatentShapes)
{
    requireValues();
    config::Configuration configuration = config::defaultConfiguration("ltx-video-2b", "");
    const Inputs inputs = ltxVideoInputs(configuration, at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16));
    EXPECT_EQ(inputs.at("hidden_states").sizes(), (std::vector<std::int64_t>{1, 4224, 128}));
    EXPECT_EQ(inputs.at("encoder_hidden_states").sizes(), (std::vector<std::int64_t>{1, 128, 4096}));
    EXPECT_EQ(inputs.at("encoder_attention_mask").scalar_type(), at::kBool);
    EXPECT_EQ(inputs.at("num_frames").item<std::int64_t>(), 11);
    EXPECT_EQ(inputs.at("height").item<std::int64_t>(), 16);
    EXPECT_EQ(inputs.at("width").item<std::int64_t>(), 24);
}

} // namespace
} // namespace headroom::models::ltx_video_test
