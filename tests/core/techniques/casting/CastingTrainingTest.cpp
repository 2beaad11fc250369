// SPDX-License-Identifier: Apache-2.0
//
// Training beside a frozen base that is stored in another type. What is trained here are the tables and the norms'
// weights, which no pattern casts.
#include "core/memory/CpuMemory.h"
#include "core/techniques/casting/Casting.h"
#include "core/techniques/checkpointing/Checkpointing.h"
#include "core/techniques/split_ffn/SplitFfn.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/techniques/casting/CastModels.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::techniques::casting_training_test {
namespace {

using Gradients = std::map<std::string, at::Tensor>;

struct Setting {
    std::string casting = "e4m3";
    std::string checkpointing = "none";
    std::string splitFfn = "off";
    bool recomputesCasts = false;
    bool prefetches = false;
    config::Dtype dtype = config::Dtype::Float32;

    std::string text() const
    {
        return casting + ", " + checkpointing + ", " + splitFfn + (recomputesCasts ? ", recompute_casts" : "")
            + (prefetches ? ", prefetch" : "") + ", " + config::toText(dtype);
    }
};

c10::ScalarType typeOf(config::Dtype dtype)
{
    return dtype == config::Dtype::Float64 ? at::kDouble
        : dtype == config::Dtype::BFloat16 ? at::kBFloat16
                                           : at::kFloat;
}

config::TechniqueSetting settingOf(
    const std::string& key, const std::string& notation, const config::ValueMap& options = {})
{
    return config::makeSetting(config::findTechnique(key, ""), notation, options, key);
}

// Widths and tokens drawn from the seed.
config::Configuration randomConfiguration(unsigned seed, const Setting& setting)
{
    std::mt19937 random(seed);
    const auto between = [&](unsigned least, unsigned most) {
        return static_cast<std::int64_t>(least + random() % (most - least + 1));
    };
    const config::ModelDescriptor model = config::findModel("ltx-video-tiny", "");
    config::Configuration configuration = config::defaultConfiguration("ltx-video-tiny", "");
    configuration.modelFields = model.fields.complete(
        {{"num_layers", between(1, 3)}, {"num_attention_heads", between(1, 3)}, {"attention_head_dim", 8},
            {"caption_channels", between(5, 20)}, {"in_channels", between(3, 9)}},
        "model");
    configuration.workload =
        config::makeWorkload({{"step", "forward_backward"}, {"batch", between(1, 2)}, {"frames", 9},
                                 {"height", 32 * between(1, 3)}, {"width", 64}, {"text_tokens", between(1, 7)}},
            model.shapes, "workload");
    configuration.workload.dtype = setting.dtype;
    return configuration;
}

bool isTrained(const std::string& name)
{
    return name.find("table") != std::string::npos || name.find("norm") != std::string::npos;
}

std::shared_ptr<models::Model> frozenModel(const config::Configuration& configuration, c10::ScalarType type)
{
    at::manual_seed(31);
    auto model = models::buildModel(configuration, onTestDevice(type));
    for (auto& parameter : model->named_parameters())
        parameter.value().requires_grad_(isTrained(parameter.key()));
    return model;
}

Gradients gradientsOf(models::Model& model, const models::Inputs& inputs)
{
    model.zero_grad();
    const at::Tensor output = model.forward(inputs);
    output.square().mean().backward();
    Gradients gradients{{"output", output.detach()}};
    for (const auto& parameter : model.named_parameters())
        if (parameter.value().grad().defined())
            gradients[parameter.key()] = parameter.value().grad();
    return gradients;
}

struct CastModel {
    CastModel(const config::Configuration& configuration, const Setting& setting)
        : casting(settingOf("casting", setting.casting,
                      {{"recompute_casts", setting.recomputesCasts}, {"prefetch", setting.prefetches}}),
              configuration)
        , split(settingOf("split_ffn", setting.splitFfn))
        , checkpointing(settingOf("checkpointing", setting.checkpointing))
        , model(frozenModel(configuration, typeOf(setting.dtype)))
    {
        casting.apply(*model);
        split.apply(*model);
        checkpointing.apply(*model);
    }

    Casting casting;
    SplitFfn split;
    Checkpointing checkpointing;
    std::shared_ptr<models::Model> model;
};

// The same without casting, of weights that were rounded beforehand.
Gradients roundedGradients(const config::Configuration& configuration, const Setting& setting,
    const models::Model& cast, const models::Inputs& inputs)
{
    const auto model = frozenModel(configuration, typeOf(setting.dtype));
    {
        const torch::NoGradGuard noGradients;
        const auto stored = cast.parameters();
        auto parameters = model->parameters();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            parameters[i].copy_(parameters[i].to(stored[i].scalar_type()).to(parameters[i].scalar_type()));
    }
    SplitFfn split(settingOf("split_ffn", setting.splitFfn));
    split.apply(*model);
    return gradientsOf(*model, inputs);
}

void expectEqual(const Gradients& found, const Gradients& expected, const std::string& what)
{
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (const auto& [name, gradient] : expected)
        EXPECT_TRUE(sameNumbers(found.at(name), gradient)) << what << ": " << name;
}

// Bit by bit: the copies hold the rounded weights, and what is computed with them is the same.
void expectGradients(unsigned seed, const Setting& setting)
{
    const config::Configuration configuration = randomConfiguration(seed, setting);
    at::manual_seed(seed);
    const models::Inputs inputs = models::makeInputs(configuration, onTestDevice(typeOf(setting.dtype)));
    CastModel cast(configuration, setting);
    const Gradients expected = roundedGradients(configuration, setting, *cast.model, inputs);
    for (int step = 0; step < 2; ++step)
        expectEqual(gradientsOf(*cast.model, inputs), expected, setting.text());
}

TEST(CastingTrainingTest, gradientsAreThoseOfRoundedWeights)
{
    requireValues();
    unsigned seed = 0;
    for (const auto dtype : {config::Dtype::Float64, config::Dtype::Float32, config::Dtype::BFloat16})
        for (const char* casting : {"e4m3", "e5m2:group", "e4m3:block", "e5m2:model", "fp16", "bf16:model"})
            for (const bool recomputes : {false, true})
                expectGradients(++seed, {.casting = casting, .recomputesCasts = recomputes, .dtype = dtype});
}

TEST(CastingTrainingTest, gradientsWithCheckpointingAndSlices)
{
    requireValues();
    unsigned seed = 100;
    for (const char* casting : {"e4m3", "e4m3:group", "e4m3:block", "e4m3:model"})
        for (const char* checkpointing : {"none", "all"})
            for (const char* split : {"off", "2", "2:recompute", "tokens:2"})
                for (const bool recomputes : {false, true})
                    expectGradients(++seed,
                        {.casting = casting,
                            .checkpointing = checkpointing,
                            .splitFfn = split,
                            .recomputesCasts = recomputes});
}

TEST(CastingTrainingTest, gradientsWithPrefetching)
{
    requireValues();
    unsigned seed = 200;
    for (const char* casting : {"e4m3", "e4m3:group", "e4m3:block"})
        for (const char* checkpointing : {"none", "all"})
            for (const bool recomputes : {false, true})
                expectGradients(++seed,
                    {.casting = casting,
                        .checkpointing = checkpointing,
                        .recomputesCasts = recomputes,
                        .prefetches = true});
}

TEST(CastingTrainingTest, whatIsTrainedStaysAsItIs)
{
    const Setting setting{.casting = "e4m3:model"};
    const CastModel cast(randomConfiguration(1, setting), setting);
    for (const auto& parameter : cast.model->named_parameters())
        EXPECT_EQ(parameter.value().scalar_type(), isTrained(parameter.key()) ? at::kFloat : at::kFloat8_e4m3fn)
            << parameter.key();
}

/// A feed-forward stack with everything frozen, whose input requires a gradient: each weight is needed for it.
struct Stack {
    explicit Stack(const Setting& setting)
        : configuration(config::defaultConfiguration("ffn-stack-tiny", ""))
        , model(nullptr)
    {
        configuration.modelFields["num_layers"] = 3;
        configuration.workload.step = config::StepKind::ForwardBackward;
        at::manual_seed(41);
        model = models::buildModel(configuration, onTestDevice(at::kFloat));
        freeze(*model);
        inputs = models::makeInputs(configuration, onTestDevice(at::kFloat));
        inputs.at("hidden_states").requires_grad_(true);
        casting = std::make_unique<Casting>(
            settingOf("casting", setting.casting, {{"recompute_casts", setting.recomputesCasts}}), configuration);
        hooks = casting->apply(*model);
        Checkpointing(settingOf("checkpointing", setting.checkpointing)).apply(*model);
        for (const at::Tensor& parameter : model->parameters())
            weightElements += parameter.dim() > 1 ? parameter.numel() : 0;
    }

    config::Configuration configuration;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    std::unique_ptr<Casting> casting;
    StepHooks hooks;
    std::int64_t weightElements = 0;
};

// Storages that live because the graph does.
Bytes aliveAfterForward(Stack& stack)
{
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory accounting(backend);
    const at::Tensor output = stack.model->forward(stack.inputs);
    return backend->liveBytes();
}

TEST(CastingTrainingTest, autogradKeepsCopiesOfAllWeightsUnlessItCastsAgain)
{
    requireCpu("of its allocator");
    for (const char* granularity : {"", ":group", ":block", ":model"}) {
        Stack plain({.casting = "off"}), kept({.casting = "e4m3" + std::string(granularity)}),
            again({.casting = "e4m3" + std::string(granularity), .recomputesCasts = true}),
            checkpointed({.casting = "e4m3" + std::string(granularity), .checkpointing = "all"});
        EXPECT_EQ(aliveAfterForward(kept) - aliveAfterForward(plain), 4 * kept.weightElements) << granularity;
        EXPECT_EQ(aliveAfterForward(again), aliveAfterForward(plain)) << granularity;
        EXPECT_LT(aliveAfterForward(checkpointed), aliveAfterForward(plain)) << granularity;
    }
}

std::int64_t castsOf(const Setting& setting)
{
    Stack stack(setting);
    stack.hooks.beginStep();
    stack.model->forward(stack.inputs).sum().backward();
    return stack.casting->counters().at("casts");
}

// Six layers of weight and bias: twelve casts forward, as many in repetitions, six of weights for the products of the
// backward pass. Where weights are cast again a repetition ends with what the activation saves, before the second
// Linear of the block.
TEST(CastingTrainingTest, theBackwardPassCastsWhatItNeeds)
{
    EXPECT_EQ(castsOf({}), 12);
    EXPECT_EQ(castsOf({.recomputesCasts = true}), 12 + 6);
    EXPECT_EQ(castsOf({.checkpointing = "all"}), 12 + 12);
    EXPECT_EQ(castsOf({.checkpointing = "all", .recomputesCasts = true}), 12 + 6 + 6);
}

} // namespace
} // namespace headroom::techniques::casting_training_test
