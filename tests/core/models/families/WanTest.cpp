// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Wan.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/WanFamily.h"
#include "core/models/blocks/WanBlock.h"
#include "core/models/blocks/WanRotaryEmbedding.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/models/families/OtherBuffers.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/Norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::models::wan_test {
namespace {

constexpr double kRelative = 1e-5;

config::ValueMap tinyFields(const config::ValueMap& given = {})
{
    return fieldsOf("wan-tiny", given);
}

Inputs referenceInputs()
{
    return {{"hidden_states", reference::filled({2, 4, 2, 6, 8}, reference::kHiddenSeed)},
        {"encoder_hidden_states", reference::filled({2, 5, 16}, reference::kTextSeed)},
        {"timestep", at::tensor({500.0F, 37.0F}).to(testDevice())}};
}

TEST(WanTest, outputsAndGradientsAreUpstreams)
{
    requireValues();
    Wan model(tinyFields(), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    const at::Tensor output = model.forward(referenceInputs());
    const at::Tensor loss = output.square().mean();
    loss.backward();
    ASSERT_EQ(output.sizes(), (std::vector<std::int64_t>{2, 4, 2, 6, 8}));
    EXPECT_NEAR(l2Norm(output), 21.620194, kRelative * 21.620194);
    const std::pair<std::int64_t, double> elements[]{
        {0, 0.10180573}, {1, -0.25439259}, {384, 0.44166008}, {766, -0.71259832}, {767, -1.5875158}};
    for (const auto& [index, value] : elements)
        EXPECT_NEAR(output.flatten()[index].item<double>(), value, 5e-6) << index;
    EXPECT_NEAR(loss.item<double>(), 0.6086365, kRelative);
    EXPECT_NEAR(gradientNorm(model), 1.8258502, kRelative * 1.8258502);
    EXPECT_NEAR(l2Norm(model.named_parameters()["blocks.0.attn1.to_q.weight"].grad()), 0.043687882, 1e-6);
    EXPECT_EQ(parameterCount(model), 21000);
}

/// Names of the conversions, products and sums that run.
class Arithmetic final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override
    {
        for (const char* name : {"aten::_to_copy", "aten::mul", "aten::add"})
            if (call.op.schema().name() == name)
                ops.emplace_back(name);
    }
    void after(const tensor::OpCall&) override { }

    std::vector<std::string> ops;
};

// (hidden_states.float() + ff_output.float() * c_gate_msa).type_as(hidden_states): Python raises the left operand
// first.
TEST(WanTest, theLastSumsOperandsAreMadeInPythonsOrder)
{
    const torch::NoGradGuard noGradients;
    const at::TensorOptions options = onTestDevice(at::kBFloat16);
    const config::ValueMap fields = tinyFields();
    const std::int64_t width = config::wanInnerWidth(fields);
    const WanBlock block(fields, options, options.dtype(at::kFloat));
    Arithmetic arithmetic;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(arithmetic);
    const tensor::OpInterceptor::Scope interception(interceptor);
    const at::Tensor turns = at::zeros({1, 6, 1, fields.at("attention_head_dim").integer()}, options.dtype(at::kFloat));
    block.forward(at::zeros({1, 6, width}, options),
        {at::zeros({1, 5, width}, options), at::zeros({1, 6, width}, options), {turns, turns}});
    ASSERT_GE(arithmetic.ops.size(), 5U);
    const std::vector<std::string> last(arithmetic.ops.end() - 5, arithmetic.ops.end());
    EXPECT_THAT(
        last, testing::ElementsAre("aten::_to_copy", "aten::_to_copy", "aten::mul", "aten::add", "aten::_to_copy"));
}

TEST(WanTest, theFullModelsHaveUpstreamsTensorsAndNames)
{
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
    const Wan large(config::findModel("wan-2.1-14b", "").fields.defaults(), options);
    EXPECT_EQ(parameterCount(large), 14288491584);
    EXPECT_EQ(large.named_parameters().size(), 1095U);
    const Wan model(config::findModel("wan-2.1-1.3b", "").fields.defaults(), options);
    const auto parameters = model.named_parameters();
    EXPECT_EQ(parameterCount(model), 1418996800);
    EXPECT_EQ(parameters.size(), 825U);
    const auto expectShape = [&](const char* name, std::vector<std::int64_t> shape) {
        ASSERT_NE(parameters.find(name), nullptr) << name;
        EXPECT_EQ(parameters[name].sizes(), shape) << name;
    };
    expectShape("scale_shift_table", {1, 2, 1536});
    expectShape("patch_embedding.weight", {1536, 16, 1, 2, 2});
    expectShape("patch_embedding.bias", {1536});
    expectShape("condition_embedder.time_embedder.linear_1.weight", {1536, 256});
    expectShape("condition_embedder.time_proj.weight", {9216, 1536});
    expectShape("condition_embedder.text_embedder.linear_2.bias", {1536});
    expectShape("blocks.29.scale_shift_table", {1, 6, 1536});
    expectShape("blocks.3.attn1.norm_q.weight", {1536});
    expectShape("blocks.3.attn2.to_out.0.bias", {1536});
    expectShape("blocks.3.norm2.weight", {1536});
    expectShape("blocks.7.ffn.net.0.proj.weight", {8960, 1536});
    expectShape("blocks.7.ffn.net.2.weight", {1536, 8960});
    expectShape("proj_out.weight", {64, 1536});
}

TEST(WanTest, theRotaryTablesAreNoPartOfItsFiles)
{
    const Wan model(tinyFields(), onTestDevice(at::kFloat));
    std::vector<std::string> names;
    for (const auto& item : model.named_buffers())
        names.push_back(item.key());
    EXPECT_THAT(names, testing::UnorderedElementsAre("rope.freqs_cos", "rope.freqs_sin"));
    EXPECT_THAT(buffersOutside<WanRotaryEmbedding>(model), testing::IsEmpty());
}

// Of time 44 channels, of height and width 42 each: cos(position * 10000^(-2j / channels)), each twice.
TEST(WanTest, rotaryTablesAreOfTheTokensPlaces)
{
    requireValues();
    const WanRotaryEmbedding embedding(128, 1024, onTestDevice(at::kFloat));
    const TokenGrid grid{3, 4, 5};
    const RotaryTables tables = embedding.forward(grid);
    ASSERT_EQ(tables.cosines.sizes(), (std::vector<std::int64_t>{1, 60, 1, 128}));
    const std::int64_t place[]{2, 1, 3}, channels[]{44, 42, 42}, first[]{0, 44, 86};
    const std::int64_t token = (place[0] * grid[1] + place[1]) * grid[2] + place[2];
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const std::int64_t j : {0, 1, 7, 20})
            for (const std::int64_t half : {0, 1}) {
                const double angle = static_cast<double>(place[axis])
                    * std::pow(10000.0, -2.0 * static_cast<double>(j) / static_cast<double>(channels[axis]));
                const std::int64_t channel = first[axis] + 2 * j + half;
                EXPECT_NEAR(tables.cosines[0][token][0][channel].item<double>(), std::cos(angle), 1e-7);
                EXPECT_NEAR(tables.sines[0][token][0][channel].item<double>(), std::sin(angle), 1e-7);
            }
}

std::set<std::string> namesInFloat32(const Wan& model)
{
    std::set<std::string> names;
    for (const auto& item : model.named_parameters())
        if (item.value().scalar_type() == at::kFloat)
            names.insert(item.key());
    for (const auto& item : model.named_buffers())
        if (item.value().scalar_type() == at::kFloat)
            names.insert(item.key());
    return names;
}

TEST(WanTest, whatUpstreamKeepsInFloat32StaysInFloat32)
{
    const Wan model(tinyFields({{"num_layers", 1}}), onTestDevice(at::kBFloat16));
    EXPECT_THAT(namesInFloat32(model),
        testing::UnorderedElementsAre("scale_shift_table", "blocks.0.scale_shift_table", "blocks.0.norm2.weight",
            "blocks.0.norm2.bias", "condition_embedder.time_embedder.linear_1.weight",
            "condition_embedder.time_embedder.linear_1.bias", "condition_embedder.time_embedder.linear_2.weight",
            "condition_embedder.time_embedder.linear_2.bias", "rope.freqs_cos", "rope.freqs_sin"));
    const Wan other(tinyFields({{"keep_in_fp32_modules", false}}), onTestDevice(at::kBFloat16));
    EXPECT_THAT(namesInFloat32(other), testing::IsEmpty());
}

TEST(WanTest, keptParametersAreThoseOfTheClosedForm)
{
    for (const config::ValueMap& given :
        std::vector<config::ValueMap>{{}, {{"cross_attn_norm", false}}, {{"keep_in_fp32_modules", false}}}) {
        const config::ValueMap fields = tinyFields(given);
        const Wan model(fields, onTestDevice(at::kHalf));
        std::int64_t kept = 0;
        for (const at::Tensor& parameter : model.parameters())
            kept += parameter.scalar_type() == at::kFloat ? parameter.numel() : 0;
        EXPECT_EQ(kept, config::wanParametersInFloat32(fields));
    }
}

Inputs inputsIn(at::ScalarType type)
{
    Inputs inputs = referenceInputs();
    for (const char* name : {"hidden_states", "encoder_hidden_states"})
        inputs[name] = inputs[name].to(type);
    return inputs;
}

at::Tensor outputIn(at::ScalarType type, const config::ValueMap& given)
{
    const torch::NoGradGuard noGradients;
    Wan model(tinyFields(given), onTestDevice(type));
    reference::fillParameters(model);
    return model.forward(inputsIn(type));
}

// bfloat16 has 8 digits: the whole model is right to about 1 in 100. Where the tables stay in float32, it is closer.
TEST(WanTest, smallerTypesComputeTheSameModel)
{
    requireValues();
    const at::Tensor expected = outputIn(at::kDouble, {});
    EXPECT_LE(relativeL2(outputIn(at::kFloat, {}), expected), 1e-6);
    const at::Tensor kept = outputIn(at::kBFloat16, {});
    EXPECT_EQ(kept.scalar_type(), at::kBFloat16);
    EXPECT_LE(relativeL2(kept, expected), 0.02);
    EXPECT_LE(relativeL2(outputIn(at::kBFloat16, {{"keep_in_fp32_modules", false}}), expected), 0.03);
}

// The rows of a token are those of its own time step: a video whose tokens all have its time step is the same video.
TEST(WanTest, timeStepsMayBeGivenForEachToken)
{
    requireValues();
    Wan model(tinyFields(), onTestDevice(at::kFloat));
    reference::fillParameters(model);
    Inputs inputs = referenceInputs();
    const at::Tensor plain = model.forward(inputs);
    inputs["timestep"] = inputs["timestep"].unsqueeze(1).expand({2, 24}).contiguous();
    EXPECT_LE(relativeL2(model.forward(inputs), plain), 1e-6);
    inputs["timestep"][0].narrow(0, 0, 12).fill_(3.0);
    EXPECT_GE(relativeL2(model.forward(inputs), plain), 1e-3);
}

TEST(WanTest, theNormBeforeTheTextIsOptional)
{
    const Wan model(tinyFields({{"cross_attn_norm", false}}), onTestDevice(at::kFloat));
    EXPECT_FALSE(model.named_parameters().contains("blocks.0.norm2.weight"));
    EXPECT_EQ(parameterCount(model), config::wanFamily().parameters(tinyFields({{"cross_attn_norm", false}})));
}

// Where a technique runs a block again it has to come out the same, with nothing but the block's inputs.
TEST(WanTest, blocksAreRunThroughTheInstalledExecution)
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
    const config::Configuration configuration = config::defaultConfiguration("wan-tiny", "");
    Wan model(configuration.modelFields, onTestDevice(at::kFloat));
    reference::fillParameters(model);
    at::manual_seed(3);
    const Inputs inputs = wanInputs(configuration, onTestDevice(at::kFloat));
    const at::Tensor plain = model.forward(inputs);
    std::vector<std::int64_t> order;
    auto twice = std::make_unique<Twice>();
    twice->order = &order;
    model.setBlockExecution(std::move(twice));
    EXPECT_TRUE(sameNumbers(model.forward(inputs), plain));
    EXPECT_THAT(order, testing::ElementsAre(0, 1));
}

TEST(WanTest, inputsHaveThePublishedShapes)
{
    const config::Configuration configuration = config::defaultConfiguration("wan-2.1-14b", "");
    const Inputs inputs = makeInputs(configuration, at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16));
    EXPECT_EQ(inputs.at("hidden_states").sizes(), (std::vector<std::int64_t>{1, 16, 21, 60, 104}));
    EXPECT_EQ(inputs.at("encoder_hidden_states").sizes(), (std::vector<std::int64_t>{1, 512, 4096}));
    EXPECT_EQ(inputs.at("timestep").sizes(), (std::vector<std::int64_t>{1}));
}

TEST(WanTest, itsLinearsAreThoseOfTheCatalogue)
{
    const Wan model(tinyFields(), onTestDevice(at::kFloat));
    std::vector<std::string> paths;
    for (const auto& item : model.named_modules({}, false))
        if (dynamic_cast<const Linear*>(item.value().get()) != nullptr)
            paths.push_back(item.key());
    EXPECT_EQ(paths, config::wanFamily().linears(tinyFields()));
}

} // namespace
} // namespace headroom::models::wan_test
