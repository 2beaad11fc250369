// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/CombinationDraw.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <set>

namespace headroom::config {
namespace {

std::set<std::string> modelsDrawn(CombinationDraw draw, int count)
{
    std::set<std::string> models;
    for (int i = 0; i < count; ++i)
        models.insert(draw.next().model);
    return models;
}

TEST(CombinationDrawTest, aSeedDrawsTheSameConfigurations)
{
    CombinationDraw first(7), second(7), other(8);
    int differing = 0;
    for (int i = 0; i < 20; ++i) {
        const Configuration drawn = first.next();
        EXPECT_EQ(drawn, second.next());
        differing += drawn == other.next() ? 0 : 1;
    }
    EXPECT_GT(differing, 15);
}

TEST(CombinationDrawTest, whatIsDrawnWorksAndHasALever)
{
    for (const auto& models : {tinyDraw(), middleDraw()}) {
        CombinationDraw draw(11, models);
        for (int i = 0; i < 200; ++i) {
            const Configuration drawn = draw.next();
            EXPECT_THAT(conflicts(drawn), testing::IsEmpty()) << drawn.model << ": " << techniqueLabel(drawn);
            EXPECT_FALSE(isBaseline(drawn));
        }
    }
}

TEST(CombinationDrawTest, everyTechniqueAndFamilyTakesPart)
{
    CombinationDraw draw(3);
    std::set<std::string> on;
    for (int i = 0; i < 300; ++i)
        for (const auto& [key, setting] : draw.next().techniques)
            if (isChosen(findTechnique(key, ""), setting))
                on.insert(key);
    const std::vector<std::string> keys = techniqueKeys();
    EXPECT_EQ(on, std::set<std::string>(keys.begin(), keys.end()));
    EXPECT_EQ(modelsDrawn(CombinationDraw(3), 300).size(), modelFamilies().size());
    EXPECT_EQ(modelsDrawn(CombinationDraw(3, middleDraw()), 300).size(), modelFamilies().size());
}

TEST(CombinationDrawTest, aModelOfTheCatalogueKeepsItsSizeAndASmallOneDoesNot)
{
    CombinationDraw large(5, {drawnModel("llama-2-7b", "model.name")});
    CombinationDraw small(5, {drawnModel("llama-tiny", "model.name")});
    std::set<std::int64_t> layers;
    for (int i = 0; i < 20; ++i) {
        const Configuration drawn = large.next();
        EXPECT_EQ(drawn.modelFields, defaultConfiguration("llama-2-7b", "").modelFields);
        EXPECT_EQ(drawn.workload.shapes.at("sequence_length"), Value(4096));
        layers.insert(small.next().modelFields.at("num_hidden_layers").integer());
    }
    EXPECT_THAT(layers, testing::UnorderedElementsAre(2, 3, 4));
}

TEST(CombinationDrawTest, anUnknownModelIsRefusedAndOneThatCannotRunIsToo)
{
    EXPECT_THAT(refusal([] { drawnModel("lama-tiny", "--model"); }),
        testing::AllOf(testing::HasSubstr("--model"), testing::HasSubstr("llama-tiny")));
    CombinationDraw impossible(1, {{"llama-tiny", {{"num_key_value_heads", 3}}, {}, 8}});
    EXPECT_THAT(refusal([&] { impossible.next(); }), testing::HasSubstr("no combination of techniques"));
}

TEST(CombinationDrawTest, techniquesThatAreAskedForAreOn)
{
    CombinationDraw draw(9);
    for (const std::string& model : tinyModels()) {
        const auto drawn = draw.nextWith({"casting", "checkpointing"}, model);
        ASSERT_TRUE(drawn) << model;
        EXPECT_NE(drawn->techniques.at("casting").notation, "off");
        EXPECT_NE(drawn->techniques.at("checkpointing").notation, "none");
    }
    EXPECT_FALSE(draw.nextWith({"attention"}, "ffn-stack-tiny"));
}

} // namespace
} // namespace headroom::config
