// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/split_ffn/SplitFfn.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::techniques::split_ffn_test {
namespace {

config::TechniqueSetting setting(const std::string& notation, const std::string& accumulate = "in_place")
{
    return config::makeSetting(
        config::findTechnique("split_ffn", ""), notation, {{"accumulate", accumulate}}, "techniques.split_ffn");
}

std::shared_ptr<models::Model> modelOf(int layers)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    configuration.modelFields["num_layers"] = layers;
    at::manual_seed(71);
    return models::buildModel(configuration, onTestDevice(at::kDouble));
}

models::Inputs inputs()
{
    return {{"hidden_states", at::randn({2, 8, 16}, onTestDevice(at::kDouble))}};
}

TEST(SplitFfnTest, countersAreExactAndPerStep)
{
    for (const char* notation : {"4", "tokens:4"}) {
        SplitFfn technique(setting(notation));
        const auto model = modelOf(3);
        const StepHooks hooks = technique.apply(*model);
        const Counters applied{{"layers_split", 3}, {"slices_run", 0}, {"slices_recomputed", 0}};
        const Counters ran{{"layers_split", 3}, {"slices_run", 12}, {"slices_recomputed", 0}};
        EXPECT_EQ(technique.counters(), applied);
        for (int step = 0; step < 2; ++step) {
            hooks.beginStep();
            EXPECT_EQ(technique.counters(), applied);
            model->forward(inputs()).sum().backward();
            EXPECT_EQ(technique.counters(), ran);
        }
    }
}

TEST(SplitFfnTest, recomputedSlicesAreCountedInTheBackwardPass)
{
    SplitFfn technique(setting("4:recompute"));
    const auto model = modelOf(3);
    const StepHooks hooks = technique.apply(*model);
    hooks.beginStep();
    const at::Tensor loss = model->forward(inputs()).sum();
    EXPECT_EQ(technique.counters(), (Counters{{"layers_split", 3}, {"slices_run", 12}, {"slices_recomputed", 0}}));
    loss.backward();
    EXPECT_EQ(technique.counters(), (Counters{{"layers_split", 3}, {"slices_run", 12}, {"slices_recomputed", 12}}));
}

TEST(SplitFfnTest, countersAreThoseOfTheCatalogue)
{
    const SplitFfn technique(setting("4"));
    const Counters counters = technique.counters();
    const auto& listed = config::findTechnique("split_ffn", "").counters;
    EXPECT_EQ(counters.size(), listed.size());
    for (const config::CounterDescriptor& counter : listed)
        EXPECT_TRUE(counters.contains(counter.name)) << counter.name;
}

TEST(SplitFfnTest, offLeavesTheModelAlone)
{
    SplitFfn technique(setting("off"));
    const auto model = modelOf(2);
    const models::Inputs given = inputs();
    const at::Tensor before = model->forward(given);
    technique.apply(*model);
    EXPECT_TRUE(sameNumbers(model->forward(given), before));
    EXPECT_EQ(technique.counters(), (Counters{{"layers_split", 0}, {"slices_run", 0}, {"slices_recomputed", 0}}));
}

TEST(SplitFfnTest, theWholeModelComputesTheSame)
{
    requireValues();
    for (const char* notation : {"1", "2", "64", "tokens:2", "tokens:16"})
        for (const char* accumulate : {"in_place", "out_of_place"}) {
            SplitFfn technique(setting(notation, accumulate));
            const auto model = modelOf(3);
            const models::Inputs given = inputs();
            const at::Tensor plain = model->forward(given);
            technique.apply(*model);
            EXPECT_LE(relativeL2(model->forward(given), plain), 1e-12) << notation << " " << accumulate;
        }
}

TEST(SplitFfnTest, noParameterIsAddedOrRenamed)
{
    SplitFfn technique(setting("4"));
    const auto model = modelOf(2);
    const auto before = model->named_parameters().keys();
    technique.apply(*model);
    EXPECT_EQ(model->named_parameters().keys(), before);
}

TEST(SplitFfnTest, saysWhatItReallyDoes)
{
    const auto effective = [](const std::string& notation, const std::string& accumulate) {
        SplitFfn technique(setting(notation, accumulate));
        const auto model = modelOf(2);
        technique.apply(*model);
        return technique.effective();
    };
    EXPECT_EQ(
        effective("4", "in_place"), "2 feed-forward layers in 4 slices of the inner channels, accumulated in place");
    EXPECT_EQ(effective("tokens:8", "out_of_place"),
        "2 feed-forward layers in 8 slices of the tokens, accumulated out of place");
    EXPECT_EQ(effective("2:recompute", "in_place"),
        "2 feed-forward layers in 2 slices of the inner channels, accumulated in place, recomputed in the backward "
        "pass");
    EXPECT_EQ(effective("off", "in_place"), "off");
}

} // namespace
} // namespace headroom::techniques::split_ffn_test
