// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/ModelZoo.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::models::model_zoo_test {
namespace {

const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);

TEST(ModelZooTest, theFactoriesAreTheFamiliesOfTheCatalogue)
{
    std::vector<std::string> built, listed;
    for (const ModelFactory& factory : modelFactories())
        built.push_back(factory.family);
    for (const config::ModelFamily& family : config::modelFamilies())
        listed.push_back(family.name);
    EXPECT_EQ(built, listed);
}

TEST(ModelZooTest, everyModelOfTheCatalogueIsBuiltWithItsClosedFormOfParameters)
{
    for (const std::string& name : config::modelNames()) {
        const config::Configuration configuration = config::defaultConfiguration(name, "");
        const auto& family = *config::findModel(name, "").family;
        EXPECT_EQ(parameterCount(*buildModel(configuration, kMeta)), family.parameters(configuration.modelFields));
    }
}

TEST(ModelZooTest, aModelOnMetaTakesNoBytesOfTheHost)
{
    const auto host = std::make_shared<tensor::RecordingBackend>();
    const auto meta = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory hostScope(host);
    const tensor::MetaMemory metaScope(meta);
    const config::Configuration configuration = config::defaultConfiguration("ffn-stack", "");
    host->restart();
    const auto model = buildModel(configuration, kMeta);
    EXPECT_EQ(meta->liveBytes(), parameterBytes(*model));
    const Inputs inputs = makeInputs(configuration, kMeta);
    EXPECT_EQ(meta->liveBytes() - parameterBytes(*model), Bytes{2} * 8192 * 4096 * 4);
    EXPECT_THAT(host->births(), testing::IsEmpty());
}

TEST(ModelZooTest, theSeedDecidesTheWeightsAndInputs)
{
    requireValues();
    const config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    const auto build = [&](std::uint64_t seed) {
        at::manual_seed(seed);
        return buildModel(configuration, onTestDevice(at::kFloat))->parameters();
    };
    const auto first = build(1), again = build(1), other = build(2);
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_TRUE(sameNumbers(first[i], again[i]));
        EXPECT_FALSE(sameBits(first[i], other[i]));
        EXPECT_TRUE(first[i].requires_grad());
    }
}

TEST(ModelZooTest, anUnknownModelIsRefusedWithTheClosestName)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack", "");
    configuration.model = "ffn-stak";
    EXPECT_THAT(refusal([&] { buildModel(configuration, kMeta); }), testing::HasSubstr("did you mean \"ffn-stack\"?"));
}

} // namespace
} // namespace headroom::models::model_zoo_test
