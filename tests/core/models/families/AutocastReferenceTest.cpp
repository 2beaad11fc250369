// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastRegion.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/recompute/SavedTensorCounter.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/reference/ReferenceValues.h"
#include "tests/support/torch/Norms.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// Values of upstream's own models under torch.autocast in Python, written by tests/reference/autocast_values.py.
namespace headroom::models::autocast_reference_test {
namespace {

using nlohmann::json;

constexpr std::uint32_t kCosineSeed = 9006;
constexpr std::uint32_t kSineSeed = 9007;

const json& reference()
{
    static const json values = reference::valuesOf("autocast.json");
    return values;
}

c10::ScalarType typeOf(const std::string& name)
{
    if (name == "float32")
        return at::kFloat;
    return name == "bfloat16" ? at::kBFloat16 : at::kHalf;
}

std::string nameOf(c10::ScalarType type)
{
    switch (type) {
    case at::kFloat:
        return "float32";
    case at::kBFloat16:
        return "bfloat16";
    case at::kHalf:
        return "float16";
    case at::kDouble:
        return "float64";
    case at::kLong:
        return "int64";
    default:
        return c10::toString(type);
    }
}

at::Tensor hidden(at::IntArrayRef shape, c10::ScalarType type)
{
    return reference::filled(shape, reference::kHiddenSeed).to(type);
}

at::Tensor text(at::IntArrayRef shape, c10::ScalarType type)
{
    return reference::filled(shape, reference::kTextSeed).to(type);
}

at::Tensor tokens()
{
    return at::remainder(at::arange(12, onTestDevice(at::kLong)) * 7, 48).view({2, 6});
}

Inputs ltxInputs(c10::ScalarType type)
{
    const auto number = [](std::int64_t value) { return at::full({1}, value, onTestDevice(at::kLong)); };
    return {{"hidden_states", hidden({2, 24, 4}, type)}, {"encoder_hidden_states", text({2, 5, 12}, type)},
        {"timestep", at::tensor({500.0F, 37.0F}).to(testDevice())}, {"num_frames", number(2)}, {"height", number(3)},
        {"width", number(4)}};
}

Inputs fluxReferenceInputs(c10::ScalarType type)
{
    at::Tensor ids = at::zeros({12, 3}, onTestDevice());
    ids.select(1, 1).copy_(at::arange(12, onTestDevice(at::kLong)).div(4, "floor"));
    ids.select(1, 2).copy_(at::arange(12, onTestDevice(at::kLong)).remainder(4));
    return {{"hidden_states", hidden({2, 12, 4}, type)}, {"encoder_hidden_states", text({2, 5, 12}, type)},
        {"pooled_projections", reference::filled({2, 10}, reference::kPooledSeed).to(type)},
        {"timestep", at::tensor({0.5F, 0.037F}).to(testDevice())}, {"img_ids", ids},
        {"txt_ids", at::zeros({5, 3}, onTestDevice())}, {"guidance", at::full({2}, 3.5F, onTestDevice())}};
}

Inputs referenceInputs(const std::string& model, c10::ScalarType type)
{
    if (model == "ltx-video-tiny")
        return ltxInputs(type);
    if (model == "flux-tiny")
        return fluxReferenceInputs(type);
    if (model == "wan-tiny")
        return {{"hidden_states", hidden({2, 4, 2, 6, 8}, type)}, {"encoder_hidden_states", text({2, 5, 16}, type)},
            {"timestep", at::tensor({500.0F, 37.0F}).to(testDevice())}};
    if (model == "cogvideox-tiny")
        return {{"hidden_states", hidden({2, 2, 4, 6, 8}, type)}, {"encoder_hidden_states", text({2, 5, 12}, type)},
            {"timestep", at::tensor({500.0F, 37.0F}).to(testDevice())},
            {"image_rotary_emb.0", reference::filled({24, 16}, kCosineSeed)},
            {"image_rotary_emb.1", reference::filled({24, 16}, kSineSeed)}};
    if (model == "ffn-stack-tiny")
        return {{"hidden_states", hidden({2, 8, 16}, type)}};
    return {{"input_ids", tokens()}};
}

/// Casts between float32 and 16 bits below autograd, by their types: how many, of how many elements.
class SeenCasts final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override
    {
        const auto& schema = call.op.schema();
        if (schema.name() == "aten::_to_copy")
            m_from = call.stack[call.stack.size() - schema.arguments().size()].toTensor().scalar_type();
    }
    void after(const tensor::OpCall& call) override
    {
        if (call.op.schema().name() != "aten::_to_copy")
            return;
        const at::Tensor& result = call.stack.back().toTensor();
        if (result.scalar_type() == m_from || !isCounted(m_from) || !isCounted(result.scalar_type()))
            return;
        json& entry = found[nameOf(m_from) + ">" + nameOf(result.scalar_type())];
        if (entry.is_null())
            entry = {0, 0};
        entry[0] = entry[0].get<std::int64_t>() + 1;
        entry[1] = entry[1].get<std::int64_t>() + result.numel();
    }
    json found = json::object();

private:
    static bool isCounted(c10::ScalarType type) { return type == at::kFloat || at::isReducedFloatingType(type); }

    c10::ScalarType m_from = at::kFloat;
};

struct Step {
    at::Tensor output;
    double loss = 0;
    json casts;
    Bytes saved = 0;
};

/// LibTorch's attention op by op, as in the reference.
class MathAttentionOnly {
public:
    MathAttentionOnly() { at::globalContext().setSDPUseFlash(false); }
    ~MathAttentionOnly() { at::globalContext().setSDPUseFlash(true); }
    MathAttentionOnly(const MathAttentionOnly&) = delete;
    MathAttentionOnly& operator=(const MathAttentionOnly&) = delete;
};

Step stepOf(Model& model, const Inputs& inputs, c10::ScalarType autocast)
{
    const MathAttentionOnly attention;
    tensor::prepareSavedTensorHooks();
    tensor::SavedTensorCounter counter;
    tensor::OpInterceptor interceptor;
    SeenCasts casts;
    interceptor.addObserver(casts);
    std::vector<at::Tensor> known = model.parameters();
    for (const auto& [name, input] : inputs)
        known.push_back(input);
    Step step;
    at::Tensor loss;
    {
        const tensor::SavedTensorHookScope hooks(counter);
        const tensor::OpInterceptor::Scope interception(interceptor);
        const tensor::AutocastRegion region(autocast, tensor::AutocastLists::Cpu);
        step.output = model.forward(inputs);
        step.casts = casts.found;
        known.push_back(step.output);
        step.saved = counter.heldBytes(known);
        loss = step.output.to(at::kFloat).square().mean();
    }
    loss.backward();
    step.loss = loss.item<double>();
    return step;
}

// The values come from 16 bits: other kernels round elsewhere. Counts and bytes are exact.
constexpr double kRelative = 2e-2;

void expectNear(double value, double expected, const std::string& what)
{
    EXPECT_NEAR(value, expected, kRelative * std::max(1.0, std::abs(expected))) << what;
}

// Norms and losses are sums of many values, so that what rounding does to them is small beside them.
void expectNearItself(double value, double expected, const std::string& what)
{
    EXPECT_NEAR(value, expected, kRelative * std::abs(expected)) << what;
}

void expectGradients(const Model& model, const json& expected)
{
    double squares = 0;
    std::set<std::string> types;
    const auto parameters = model.named_parameters();
    for (const auto& item : parameters)
        if (const at::Tensor& gradient = item.value().grad(); gradient.defined()) {
            squares += std::pow(l2Norm(gradient), 2);
            types.insert(nameOf(gradient.scalar_type()));
        }
    expectNearItself(std::sqrt(squares), expected.at("gradient_norm"), "gradient norm");
    EXPECT_EQ(json(types), expected.at("gradient_dtypes"));
    for (const auto& [name, value] : expected.at("gradient_l2").items())
        expectNearItself(l2Norm(parameters[name].grad()), value, name);
}

// Of 4 query heads each has its own, unless the case says how many there are.
std::int64_t sharedHeads(const json& expected)
{
    const json& heads = expected.at("key_value_heads");
    return heads.is_null() ? 4 : heads.get<std::int64_t>();
}

class AutocastReferenceTest : public testing::TestWithParam<std::size_t> { };

TEST_P(AutocastReferenceTest, isWhatUpstreamsModelDoesUnderTorchsAutocast)
{
    requireCpu("the reference is of the CPU's lists, op by op");
    const json& expected = reference().at("cases").at(GetParam());
    const std::string name = expected.at("model");
    const c10::ScalarType type = typeOf(expected.at("dtype"));
    config::Configuration configuration = config::defaultConfiguration(name, "");
    if (name == "llama-tiny") {
        configuration.modelFields["num_key_value_heads"] = sharedHeads(expected);
        configuration.modelFields["repeat_kv"] = expected.at("repeat_kv").get<bool>();
    }
    const auto model = buildModel(configuration, onTestDevice(type));
    model->train();
    reference::fillParameters(*model);
    const Step step = stepOf(*model, referenceInputs(name, type), typeOf(expected.at("autocast")));
    EXPECT_EQ(nameOf(step.output.scalar_type()), expected.at("output_dtype"));
    expectNearItself(l2Norm(step.output), expected.at("output_l2"), "output");
    for (const auto& [index, value] : expected.at("elements").items())
        expectNear(step.output.flatten()[std::stol(index)].item<double>(), value, "element " + index);
    expectNearItself(step.loss, expected.at("loss"), "loss");
    expectGradients(*model, expected);
    EXPECT_EQ(step.casts, expected.at("casts"));
    EXPECT_EQ(step.saved, expected.at("saved_bytes").get<Bytes>());
}

std::string caseName(const testing::TestParamInfo<std::size_t>& info)
{
    const json& test = reference().at("cases").at(info.param);
    std::string text = test.at("model").get<std::string>() + (test.at("key_value_heads").is_null() ? "_" : "_grouped_")
        + (test.at("repeat_kv").get<bool>() ? "repeated_" : "") + test.at("dtype").get<std::string>() + "_under_"
        + test.at("autocast").get<std::string>();
    std::ranges::replace_if(text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return text;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AutocastReferenceTest, testing::Range<std::size_t>(0, reference().at("cases").size()), caseName);

// The op lists of the LibTorch that the values were computed with; a newer one may have more.
TEST(AutocastReferenceListsTest, holdEveryOpOfTorchsOwn)
{
    for (const auto& [key, lists] :
        {std::pair("AutocastCPU", tensor::AutocastLists::Cpu), std::pair("AutocastCUDA", tensor::AutocastLists::Cuda)})
        for (const std::string name : reference().at("ops").at(key)) {
            const std::size_t dot = name.find('.');
            const c10::OperatorName op(name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1));
            EXPECT_TRUE(tensor::autocastPolicy(lists, op)) << key << ' ' << name;
        }
}

} // namespace
} // namespace headroom::models::autocast_reference_test
