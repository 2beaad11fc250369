// SPDX-License-Identifier: Apache-2.0
#include "core/weights/WeightSource.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/weights/StoredWeights.h"
#include "tests/core/config/TinyModels.h"
#include "tests/core/weights/WrittenShards.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

config::Configuration withWeights(const std::string& model, const std::string& weights)
{
    return configurationOf(model, {}, {{config::kWeightsField, weights}});
}

// Every parameter has numbers of its own, those too that upstream starts at zero or one.
tensor::NamedTensors randomWeights(const std::string& model, c10::ScalarType type = at::kFloat)
{
    at::manual_seed(7);
    tensor::NamedTensors weights;
    const auto built = buildModel(config::defaultConfiguration(model, ""), onTestDevice(at::kFloat));
    for (const auto& item : built->named_parameters())
        weights.emplace_back(item.key(), at::randn(item.value().sizes()).to(type));
    return weights;
}

void expectWeights(const Model& model, const tensor::NamedTensors& weights)
{
    const auto parameters = model.named_parameters();
    ASSERT_EQ(parameters.size(), weights.size());
    for (const auto& [name, weight] : weights)
        EXPECT_TRUE(sameNumbers(parameters[name], weight.to(parameters[name].scalar_type()))) << name;
}

std::filesystem::path fileOf(const TemporaryFolder& folder, const tensor::NamedTensors& weights)
{
    const auto path = folder.path() / "w.safetensors";
    tensor::writeSafetensors(path, weights);
    return path;
}

TEST(WeightSourceTest, everyFamilyTakesItsWeightsFromAFileOrShards)
{
    for (const std::string& model : tinyModels()) {
        const TemporaryFolder folder;
        const tensor::NamedTensors weights = randomWeights(model);
        expectWeights(*buildModel(withWeights(model, fileOf(folder, weights)), onTestDevice(at::kFloat)), weights);
        tensor::writeShards(folder.path() / "sharded", weights, 4096);
        expectWeights(*buildModel(withWeights(model, folder.path() / "sharded"), onTestDevice(at::kDouble)), weights);
    }
}

TEST(WeightSourceTest, weightsComeModuleByModuleWhereTechniquesPutThemAway)
{
    const TemporaryFolder folder;
    const tensor::NamedTensors weights = randomWeights("ffn-stack-tiny", at::kBFloat16);
    const config::Configuration configuration = withWeights("ffn-stack-tiny", fileOf(folder, weights));
    std::vector<std::string> told;
    const auto model =
        buildModel(configuration, onTestDevice(at::kBFloat16), [&](const std::string& path, torch::nn::Module& module) {
            told.push_back(path);
            for (const auto& item : module.named_parameters(false))
                EXPECT_TRUE(item.value().storage().nbytes() > 0) << path;
        });
    expectWeights(*model, weights);
    EXPECT_EQ(told.size(), model->named_modules().size());
}

TEST(WeightSourceTest, anotherFloatingTypeIsConverted)
{
    const TemporaryFolder folder;
    const tensor::NamedTensors weights = randomWeights("ffn-stack-tiny", at::kHalf);
    const auto model = buildModel(withWeights("ffn-stack-tiny", fileOf(folder, weights)), onTestDevice(at::kBFloat16));
    EXPECT_EQ(model->parameters().front().scalar_type(), at::kBFloat16);
    expectWeights(*model, weights);
}

TEST(WeightSourceTest, whatIsNoNumberWithAFractionIsRefused)
{
    const TemporaryFolder folder;
    tensor::NamedTensors weights = randomWeights("ffn-stack-tiny");
    weights[1].second = at::ones(weights[1].second.sizes(), at::kLong);
    const auto path = fileOf(folder, weights);
    EXPECT_EQ(refusal<FileError>([&] { buildModel(withWeights("ffn-stack-tiny", path), onTestDevice(at::kFloat)); }),
        path.string() + ": tensor \"" + weights[1].first + "\" is of I64 (valid: a floating type)");
}

TEST(WeightSourceTest, simulatedModelsAreCheckedAndNotFilled)
{
    const TemporaryFolder folder;
    tensor::NamedTensors weights = randomWeights("ltx-video-tiny");
    const auto path = fileOf(folder, weights);
    const auto build = [&] {
        return buildModel(withWeights("ltx-video-tiny", path), at::TensorOptions(at::kBFloat16).device(at::kMeta));
    };
    EXPECT_TRUE(build()->parameters().front().is_meta());
    weights.pop_back();
    fileOf(folder, weights);
    EXPECT_THAT(refusal<FileError>(build), HasSubstr("there is no tensor \"proj_out.bias\""));
}

TEST(WeightSourceTest, whatDoesNotFitIsNamed)
{
    const TemporaryFolder folder;
    tensor::NamedTensors weights = randomWeights("ffn-stack-tiny");
    for (auto& [name, tensor] : weights)
        if (name == "layers.0.net.0.proj.weight")
            tensor = tensor.t();
        else if (name == "layers.1.net.2.bias")
            name = "layers.1.net.2.bais";
    const auto path = fileOf(folder, weights);
    const config::Configuration configuration = withWeights("ffn-stack-tiny", path);
    EXPECT_EQ(refusal<FileError>([&] { buildModel(configuration, onTestDevice(at::kFloat)); }),
        path.string()
            + ": the weights are not those of the model: there is no tensor \"layers.1.net.2.bias\"; the model has no "
              "parameter \"layers.1.net.2.bais\"; \"layers.0.net.0.proj.weight\" is [16, 128] where the model has "
              "[128, 16]");
    const WeightMismatch mismatch = compareWeights(configuration);
    EXPECT_THAT(mismatch.missing, ElementsAre("layers.1.net.2.bias"));
    EXPECT_THAT(mismatch.unexpected, ElementsAre("layers.1.net.2.bais"));
    ASSERT_EQ(mismatch.shapes.size(), 1U);
    EXPECT_EQ(mismatch.shapes[0].name, "layers.0.net.0.proj.weight");
    EXPECT_TRUE(compareWeights(config::defaultConfiguration("ffn-stack-tiny", "")).isEmpty());
}

TEST(WeightSourceTest, longListsAreCut)
{
    const TemporaryFolder folder;
    const auto path = fileOf(folder, {{"x", at::zeros({1})}});
    EXPECT_THAT(refusal<FileError>([&] { buildModel(withWeights("ltx-video-tiny", path), onTestDevice(at::kFloat)); }),
        HasSubstr(" and 60 more; the model has no parameter \"x\""));
}

TEST(WeightSourceTest, otherNamesOfAParameterAndTensorsOfNoInterestAreKnown)
{
    const TemporaryFolder folder;
    const config::UpstreamWeights upstream{{{"tied", "own"}}, {R"(rotary\.inv_freq$)"}};
    torch::nn::Module model;
    model.register_parameter("own", at::zeros({2}));
    const auto mismatchOf = [&](const tensor::NamedTensors& weights) {
        return StoredWeights(fileOf(folder, weights), upstream).compare(model);
    };
    EXPECT_TRUE(mismatchOf({{"own", at::ones({2})}}).isEmpty());
    EXPECT_TRUE(mismatchOf({{"tied", at::ones({2})}, {"a.rotary.inv_freq", at::ones({3})}}).isEmpty());
    EXPECT_TRUE(mismatchOf({{"own", at::ones({2})}, {"tied", at::ones({2})}}).isEmpty());
    EXPECT_THAT(mismatchOf({{"own", at::ones({2})}, {"other", at::ones({2})}}).unexpected, ElementsAre("other"));
    EXPECT_THAT(mismatchOf({{"other", at::ones({2})}}).missing, ElementsAre("own"));
    EXPECT_THAT(refusal<FileError>([&] { mismatchOf({{"own", at::ones({2})}, {"tied", at::ones({3})}}); }),
        HasSubstr("tensors \"own\" and \"tied\" are one weight and have other shapes: [2] and [3]"));
    const StoredWeights tied(fileOf(folder, {{"tied", at::full({2}, 4.0F)}}), upstream);
    const torch::NoGradGuard noGradients;
    tied.fill("", model);
    EXPECT_TRUE(sameNumbers(model.named_parameters()["own"], at::full({2}, 4.0F)));
}

TEST(WeightSourceTest, filledWeightsAreThoseOfTheReferenceValues)
{
    for (const std::string& model : tinyModels()) {
        const auto filled = buildModel(withWeights(model, config::kFilledWeights), onTestDevice(at::kFloat));
        const auto expected = buildModel(config::defaultConfiguration(model, ""), onTestDevice(at::kFloat));
        reference::fillParameters(*expected);
        const auto parameters = filled->named_parameters();
        for (const auto& item : expected->named_parameters())
            EXPECT_TRUE(sameNumbers(item.value(), parameters[item.key()])) << model << " " << item.key();
        EXPECT_THAT(compareWeights(withWeights(model, config::kFilledWeights)).missing, IsEmpty());
    }
}

} // namespace
} // namespace headroom::models
