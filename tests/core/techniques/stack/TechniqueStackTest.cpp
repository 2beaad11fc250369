// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/stack/TechniqueStack.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>

namespace headroom::techniques {
namespace {

config::Configuration configurationWith(const std::string& splitFfn)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    configuration.techniques["split_ffn"] =
        config::makeSetting(config::findTechnique("split_ffn", ""), splitFfn, {}, "techniques.split_ffn");
    return configuration;
}

TEST(TechniqueStackTest, theFactoriesAreTheCatalogueInItsOrder)
{
    std::vector<std::string> keys;
    for (const TechniqueFactory& factory : techniqueFactories())
        keys.push_back(factory.key);
    EXPECT_EQ(keys, config::techniqueKeys());
}

TEST(TechniqueStackTest, everyTechniqueCountsWhatTheCatalogueSays)
{
    const TechniqueStack stack(config::defaultConfiguration("ffn-stack-tiny", ""));
    for (const auto& [key, counters] : stack.counters()) {
        std::vector<std::string> listed, counted;
        for (const config::CounterDescriptor& counter : config::findTechnique(key, "").counters)
            listed.push_back(counter.name);
        for (const auto& [name, value] : counters)
            counted.push_back(name);
        EXPECT_THAT(counted, testing::UnorderedElementsAreArray(listed)) << key;
    }
}

// What a technique counts only outside of blocks, it cannot count for one.
TEST(TechniqueStackTest, aRepeatedBlockCountsWhatTheOneLikeItCounted)
{
    TechniqueStack stack(configurationWith("4"));
    auto counted = stack.counters();
    for (auto& [key, counters] : counted)
        for (auto& [name, count] : counters)
            count = 0;
    counted.at("split_ffn").at("slices_run") = 4;
    counted.at("attention").at("math") = 1;
    counted.at("casting").at("cast_bytes") = 100;
    counted.at("checkpointing").at("blocks_recomputed") = 1;
    EXPECT_TRUE(stack.countRepeated(2, 1, counted));
    EXPECT_TRUE(stack.countRepeated(3, 1, counted));
    EXPECT_EQ(stack.counters().at("split_ffn").at("slices_run"), 8);
    EXPECT_EQ(stack.counters().at("attention").at("math"), 2);
    EXPECT_EQ(stack.counters().at("casting").at("cast_bytes"), 200);
    EXPECT_EQ(stack.counters().at("checkpointing").at("blocks_recomputed"), 2);
    counted.at("offload").at("bytes_to_device") = 1;
    EXPECT_FALSE(stack.countRepeated(4, 1, counted));
}

TEST(TechniqueStackTest, aCombinationThatCannotWorkIsRefusedWithTheReason)
{
    EXPECT_EQ(refusal([] { TechniqueStack(configurationWith("5")); }),
        "techniques: split_ffn = 5 does not divide the feed-forward's inner width 64");
    EXPECT_EQ(refusal([] { TechniqueStack(configurationWith("tokens:3")); }),
        "techniques: split_ffn = tokens:3 does not divide the 16 tokens of the feed-forward's input");
}

TEST(TechniqueStackTest, appliesAndCountsEveryTechnique)
{
    const config::Configuration configuration = configurationWith("4");
    TechniqueStack stack(configuration);
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    stack.apply(*model);
    stack.hooks().beginStep();
    model->forward(models::makeInputs(configuration, onTestDevice(at::kFloat)));
    EXPECT_EQ(stack.counters().at("split_ffn").at("layers_split"), 2);
    EXPECT_EQ(stack.counters().at("split_ffn").at("slices_run"), 8);
    EXPECT_EQ(stack.effective().at("split_ffn"),
        "2 feed-forward layers in 4 slices of the inner channels, accumulated in place");
    stack.hooks().beginStep();
    EXPECT_EQ(stack.counters().at("split_ffn").at("slices_run"), 0);
}

} // namespace
} // namespace headroom::techniques
