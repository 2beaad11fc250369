// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Trainable.h"

#include "core/autocast/AutocastRegion.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/config/TinyModels.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace headroom::techniques::trainable_test {
namespace {

config::Configuration configurationOf(
    const std::string& model, const std::string& notation, const config::ValueMap& options = {})
{
    config::Configuration configuration = config::defaultConfiguration(model, "");
    configuration.techniques["trainable"] =
        config::makeSetting(config::findTechnique("trainable", ""), notation, options, "techniques.trainable");
    return configuration;
}

config::Value texts(const std::vector<std::string>& names)
{
    config::Value::List list;
    for (const std::string& name : names)
        list.emplace_back(name);
    return list;
}

/// A model with the technique applied, and an input; the same base weights each time.
struct Bench {
    config::Configuration configuration;
    TechniqueStack techniques;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;

    explicit Bench(config::Configuration chosen, c10::ScalarType dtype = at::kDouble)
        : configuration(withDtype(std::move(chosen), dtype))
        , techniques(configuration)
    {
        at::manual_seed(19);
        model = models::buildModel(configuration, onTestDevice(dtype));
        inputs = models::makeInputs(configuration, onTestDevice(dtype));
        techniques.apply(*model);
    }

    static config::Configuration withDtype(config::Configuration configuration, c10::ScalarType dtype)
    {
        configuration.workload.dtype = dtype == at::kDouble ? config::Dtype::Float64
            : dtype == at::kFloat                           ? config::Dtype::Float32
                                                            : config::Dtype::BFloat16;
        return configuration;
    }

    at::Tensor parameter(const std::string& name) const { return model->named_parameters()[name]; }
    at::Tensor run() { return model->forward(inputs); }
};

std::set<std::string> namesOf(const models::Model& model)
{
    std::set<std::string> names;
    for (const auto& item : model.named_parameters())
        names.insert(item.key());
    return names;
}

TEST(TrainableTest, theLinearsOfEveryFamilyAreThoseItNames)
{
    for (const std::string& name : tinyModels()) {
        const config::Configuration configuration = config::defaultConfiguration(name, "");
        const auto model = models::buildModel(configuration, at::TensorOptions(at::kMeta));
        std::vector<std::string> linears;
        for (const auto& item : model->named_modules())
            if (dynamic_cast<const models::Linear*>(item.value().get()) != nullptr)
                linears.push_back(item.key());
        EXPECT_EQ(config::findModel(name, "").family->linears(configuration.modelFields), linears) << name;
    }
}

TEST(TrainableTest, allLeavesTheModelAlone)
{
    Bench bench(configurationOf("ltx-video-tiny", "all"));
    for (const auto& item : bench.model->named_parameters())
        EXPECT_TRUE(item.value().requires_grad()) << item.key();
    EXPECT_EQ(
        bench.techniques.counters().at("trainable").at("trained_parameters"), models::parameterCount(*bench.model));
    EXPECT_EQ(bench.techniques.effective().at("trainable"), "all");
}

TEST(TrainableTest, noneFreezesEverything)
{
    requireValues();
    Bench bench(configurationOf("ltx-video-tiny", "none"));
    for (const auto& item : bench.model->named_parameters())
        EXPECT_FALSE(item.value().requires_grad()) << item.key();
    EXPECT_FALSE(bench.run().requires_grad());
    const Counters counters = bench.techniques.counters().at("trainable");
    EXPECT_EQ(counters.at("trained_parameters"), 0);
    EXPECT_EQ(counters.at("frozen_parameters"), models::parameterCount(*bench.model));
}

TEST(TrainableTest, loraAddsAdaptersUnderPeftsNamesAndFreezesTheRest)
{
    requireValues();
    Bench plain(configurationOf("ltx-video-tiny", "all"));
    Bench bench(configurationOf("ltx-video-tiny", "lora:3"));
    std::set<std::string> expected = namesOf(*plain.model);
    std::int64_t trained = 0;
    for (const std::string block : {"transformer_blocks.0.", "transformer_blocks.1."})
        for (const std::string attention : {"attn1.", "attn2."})
            for (const std::string projection : {"to_q", "to_k", "to_v", "to_out.0"}) {
                const std::string path = block + attention + projection;
                const at::Tensor weight = bench.parameter(path + ".weight");
                const at::Tensor a = bench.parameter(path + ".lora_A.weight");
                const at::Tensor b = bench.parameter(path + ".lora_B.weight");
                EXPECT_EQ(a.sizes(), (std::vector<std::int64_t>{3, weight.size(1)}));
                EXPECT_EQ(b.sizes(), (std::vector<std::int64_t>{weight.size(0), 3}));
                EXPECT_EQ(b.abs().sum().item<double>(), 0.0);
                const double bound = 1 / std::sqrt(static_cast<double>(weight.size(1)));
                EXPECT_LE(a.abs().max().item<double>(), bound);
                EXPECT_GT(a.abs().max().item<double>(), bound / 2) << "uniform up to the bound";
                expected.insert({path + ".lora_A.weight", path + ".lora_B.weight"});
                trained += a.numel() + b.numel();
            }
    EXPECT_EQ(namesOf(*bench.model), expected);
    for (const auto& item : bench.model->named_parameters())
        EXPECT_EQ(item.value().requires_grad(), item.key().find(".lora_") != std::string::npos) << item.key();
    const Counters counters = bench.techniques.counters().at("trainable");
    EXPECT_EQ(counters.at("adapters"), 16);
    EXPECT_EQ(counters.at("trained_parameters"), trained);
    EXPECT_EQ(counters.at("frozen_parameters"), models::parameterCount(*plain.model));
    EXPECT_EQ(bench.techniques.effective().at("trainable"),
        "adapters of rank 3 on 16 Linears (to_q, to_k, to_v, to_out.0): " + std::to_string(trained)
            + " parameters trained, " + std::to_string(models::parameterCount(*plain.model)) + " frozen");
}

TEST(TrainableTest, newAdaptersLeaveTheOutputAsItIs)
{
    Bench plain(configurationOf("ffn-stack-tiny", "all"));
    Bench bench(configurationOf("ffn-stack-tiny", "lora:4"));
    EXPECT_TRUE(sameNumbers(bench.run(), plain.run()));
}

TEST(TrainableTest, targetModulesChooseTheLinears)
{
    Bench bench(configurationOf("ltx-video-tiny", "lora:2", {{"target_modules", texts({"attn2.to_k", "proj_in"})}}));
    EXPECT_EQ(bench.techniques.counters().at("trainable").at("adapters"), 3);
    EXPECT_TRUE(bench.parameter("proj_in.lora_A.weight").defined());
    EXPECT_TRUE(bench.parameter("transformer_blocks.1.attn2.to_k.lora_B.weight").defined());
    EXPECT_EQ(bench.model->named_parameters().find("transformer_blocks.1.attn1.to_k.lora_B.weight"), nullptr);
}

// What PEFT computes, written out with plain products: y = x W^T + b + alpha / R * (x A^T) B^T.
at::Tensor linearByHand(const Bench& bench, const std::string& path, const at::Tensor& x, double scale)
{
    const at::Tensor base = at::matmul(x, bench.parameter(path + ".weight").t()) + bench.parameter(path + ".bias");
    const at::Tensor reduced = at::matmul(x, bench.parameter(path + ".lora_A.weight").t());
    return base + scale * at::matmul(reduced, bench.parameter(path + ".lora_B.weight").t());
}

at::Tensor stackByHand(const Bench& bench, at::Tensor x, double scale)
{
    for (const std::string layer : {"layers.0.net.", "layers.1.net."}) {
        const auto halves = linearByHand(bench, layer + "0.proj", x, scale).chunk(2, -1);
        x = linearByHand(bench, layer + "2", halves[0] * at::gelu(halves[1]), scale);
    }
    return x;
}

void fillB(const models::Model& model)
{
    const torch::NoGradGuard noGradients;
    for (const auto& item : model.named_parameters())
        if (item.key().ends_with("lora_B.weight"))
            at::Tensor(item.value()).normal_(0, 0.1);
}

// The same sums in another order: a few units in the last place of float64 (2^-53 = 1e-16), times the square root of
// the 64 terms of the longest one, through two layers.
TEST(TrainableTest, outputAndGradientsAreThoseOfTheFormula)
{
    requireValues();
    for (const config::ValueMap& options : {config::ValueMap{}, config::ValueMap{{"alpha", 6.0}}}) {
        Bench bench(configurationOf("ffn-stack-tiny", "lora:4", options));
        const double scale = options.empty() ? 1.0 : 1.5;
        fillB(*bench.model);
        const auto gradientsOf = [&](const at::Tensor& output) {
            bench.model->zero_grad();
            output.square().mean().backward();
            std::map<std::string, at::Tensor> gradients;
            for (const auto& item : bench.model->named_parameters())
                if (item.value().grad().defined())
                    gradients[item.key()] = item.value().grad().clone();
            return gradients;
        };
        const at::Tensor output = bench.run();
        const at::Tensor expected = stackByHand(bench, bench.inputs.at("hidden_states"), scale);
        EXPECT_TRUE(closeNumbers(output, expected, 1e-13, 1e-15));
        const auto gradients = gradientsOf(output);
        const auto byHand = gradientsOf(expected);
        EXPECT_EQ(gradients.size(), 8U) << "A and B of four Linears, nothing of the base";
        ASSERT_EQ(byHand.size(), gradients.size());
        for (const auto& [name, gradient] : gradients) {
            EXPECT_TRUE(closeNumbers(gradient, byHand.at(name), 1e-12, 1e-16)) << name;
            EXPECT_GT(gradient.abs().max().item<double>(), 0.0) << name;
        }
    }
}

TEST(TrainableTest, dropoutActsOnTheAdaptersInputInTrainingOnly)
{
    requireValues();
    Bench bench(configurationOf("ffn-stack-tiny", "lora:4", {{"dropout", 0.5}}));
    fillB(*bench.model);
    bench.model->train();
    const at::Tensor first = bench.run();
    EXPECT_FALSE(sameBits(bench.run(), first)) << "another mask";
    bench.model->eval();
    EXPECT_TRUE(closeNumbers(bench.run(), stackByHand(bench, bench.inputs.at("hidden_states"), 1.0), 1e-13, 1e-15));
    fillB(*bench.model);
    Bench always(configurationOf("ffn-stack-tiny", "lora:4", {{"dropout", 1.0}}));
    fillB(*always.model);
    always.model->train();
    Bench plain(configurationOf("ffn-stack-tiny", "all"));
    EXPECT_TRUE(sameNumbers(always.run(), plain.run())) << "an adapter whose input is dropped adds nothing";
}

TEST(TrainableTest, applyingTwiceKeepsTheAdapters)
{
    Bench bench(configurationOf("ffn-stack-tiny", "lora:4"));
    const at::Tensor adapter = bench.parameter("layers.0.net.2.lora_A.weight");
    TechniqueStack again(bench.configuration);
    again.apply(*bench.model);
    EXPECT_TRUE(bench.parameter("layers.0.net.2.lora_A.weight").is_same(adapter));
    EXPECT_TRUE(adapter.requires_grad());
    EXPECT_EQ(again.counters(), bench.techniques.counters());
}

TEST(TrainableTest, adaptersDependOnTheSeedAloneAndLeaveTheRandomStateAlone)
{
    requireValues();
    const auto adapterAfterDraws = [](int draws, std::int64_t seed) {
        config::Configuration configuration = configurationOf("ffn-stack-tiny", "lora:4");
        configuration.workload.seed = seed;
        TechniqueStack techniques(configuration);
        const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
        at::randn({draws}, onTestDevice());
        const at::Generator generator = at::globalContext().defaultGenerator(testDevice());
        const at::Tensor next = at::randn({4}, generator.clone(), onTestDevice(at::kFloat));
        techniques.apply(*model);
        EXPECT_TRUE(sameNumbers(at::randn({4}, onTestDevice()), next)) << "what is drawn next stays the same";
        return model->named_parameters()["layers.1.net.2.lora_A.weight"].detach();
    };
    EXPECT_TRUE(sameNumbers(adapterAfterDraws(1, 5), adapterAfterDraws(100, 5)));
    EXPECT_FALSE(sameBits(adapterAfterDraws(1, 5), adapterAfterDraws(1, 6)));
}

config::Configuration float32Adapters(config::ValueMap options = {})
{
    options["dtype"] = "float32";
    return configurationOf("ffn-stack-tiny", "lora:4", options);
}

TEST(TrainableTest, adaptersOverA16BitBaseMayBeInFloat32)
{
    Bench bench(float32Adapters(), at::kBFloat16);
    fillB(*bench.model);
    for (const auto& item : bench.model->named_parameters())
        EXPECT_EQ(item.value().scalar_type(), item.value().requires_grad() ? at::kFloat : at::kBFloat16) << item.key();
    const at::Tensor output = bench.run();
    EXPECT_EQ(output.scalar_type(), at::kBFloat16) << "the base's result keeps its type";
    output.to(at::kFloat).square().mean().backward();
    for (const auto& item : bench.model->named_parameters())
        if (item.value().requires_grad()) {
            EXPECT_EQ(item.value().grad().scalar_type(), at::kFloat) << item.key();
        }
    EXPECT_THAT(bench.techniques.effective().at("trainable"), testing::HasSubstr("of rank 4 in float32 on 4 Linears"));
}

// PEFT's forward with _cast_input_dtype, of one Linear: result + B(A(x.to(float32))) * scale, in the base's type.
TEST(TrainableTest, float32AdaptersComputeWhatPeftComputes)
{
    Bench bench(float32Adapters({{"alpha", 6.0}}), at::kBFloat16);
    fillB(*bench.model);
    const auto* linear = dynamic_cast<const models::Linear*>(bench.model->named_modules()["layers.0.net.2"].get());
    ASSERT_NE(linear, nullptr);
    const at::Tensor x = at::randn({3, linear->weight.size(1)}, onTestDevice()).to(at::kBFloat16);
    const at::Tensor a = bench.parameter("layers.0.net.2.lora_A.weight"),
                     b = bench.parameter("layers.0.net.2.lora_B.weight");
    at::Tensor expected = at::linear(x, linear->weight, linear->bias);
    expected = expected + at::linear(at::linear(x.to(at::kFloat), a), b) * 1.5;
    EXPECT_TRUE(sameNumbers(linear->forward(x), expected.to(at::kBFloat16)));
    // Under autocast the adapter's weights are cast, and the input again.
    const tensor::AutocastRegion region(at::kBFloat16, tensor::autocastListsOf(testDevice()));
    const at::Tensor cast = at::linear(at::linear(x, a.to(at::kBFloat16)), b.to(at::kBFloat16)) * 1.5;
    EXPECT_TRUE(sameNumbers(linear->forward(x), at::linear(x, linear->weight, linear->bias) + cast));
}

// bfloat16 keeps 8 bits: slices of the sum round each for themselves.
TEST(TrainableTest, float32AdaptersWorkWithSlicesAndCheckpoints)
{
    requireValues();
    const auto resultOf = [](const std::map<std::string, std::string>& levers) {
        config::Configuration configuration = float32Adapters();
        configuration.workload.step = config::StepKind::Train;
        for (const auto& [key, notation] : levers)
            configuration.techniques[key] =
                config::makeSetting(config::findTechnique(key, ""), notation, {}, "techniques." + key);
        Bench bench(configuration, at::kBFloat16);
        at::manual_seed(23);
        fillB(*bench.model);
        const at::Tensor output = bench.run();
        output.to(at::kFloat).square().mean().backward();
        return std::pair(output.detach(), bench.parameter("layers.0.net.0.proj.lora_A.weight").grad().clone());
    };
    const auto plain = resultOf({});
    for (const std::map<std::string, std::string>& levers :
        std::vector<std::map<std::string, std::string>>{{{"split_ffn", "4"}}, {{"split_ffn", "4:recompute"}},
            {{"split_ffn", "tokens:4"}}, {{"checkpointing", "all"}}, {{"casting", "e4m3"}, {"checkpointing", "all"}}}) {
        const auto [output, gradient] = resultOf(levers);
        EXPECT_EQ(output.scalar_type(), at::kBFloat16);
        EXPECT_EQ(gradient.scalar_type(), at::kFloat);
        const double tolerance = levers.contains("casting") ? 0.2 : 0.03;
        const auto relative = [](const at::Tensor& value, const at::Tensor& expected) {
            return ((value - expected).to(at::kDouble).norm() / expected.to(at::kDouble).norm()).item<double>();
        };
        EXPECT_LE(relative(output, plain.first), tolerance);
        EXPECT_LE(relative(gradient, plain.second), tolerance);
    }
}

TEST(TrainableTest, adaptersHaveTheWorkloadsType)
{
    Bench bench(configurationOf("ffn-stack-tiny", "lora:4"), at::kBFloat16);
    EXPECT_EQ(bench.parameter("layers.0.net.2.lora_A.weight").scalar_type(), at::kBFloat16);
}

} // namespace
} // namespace headroom::techniques::trainable_test
