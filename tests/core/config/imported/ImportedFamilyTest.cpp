// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedFamily.h"

#include "core/config/techniques/CastingDescriptor.h"
#include "core/config/techniques/ModelWords.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::config::imported_family_test {
namespace {

std::vector<std::string> skippedByCasting(const archive::ExportedModel& model)
{
    const ModelFamily family = importedFamily(std::make_shared<const archive::ExportedModel>(model));
    return castingSkipPatterns(parseCasting("e4m3", ""), {}, family);
}

TEST(ImportedFamilyTest, castingLeavesWhatTheClassOfTheCaptureLeaves)
{
    archive::ExportedModel model;
    EXPECT_THAT(skippedByCasting(model), testing::Not(testing::Contains("condition_embedder")));
    model.notes.keptFromCasting = {"condition_embedder", "norm"};
    const std::vector<std::string> skipped = skippedByCasting(model);
    EXPECT_THAT(skipped, testing::IsSupersetOf({"pos_embed", "condition_embedder"}));
    EXPECT_EQ(std::ranges::count(skipped, "norm"), 1);
}

TEST(ImportedFamilyTest, castsByGroupWhatUpstreamsClassesSay)
{
    archive::ExportedModel model;
    const auto hasGroups = [&] {
        return importedFamily(std::make_shared<const archive::ExportedModel>(model)).hasCastGroups({});
    };
    EXPECT_FALSE(hasGroups());
    archive::Node node;
    node.modules = {{"time", "time_embedding", "diffusers.models.embeddings.TimestepEmbedding"}};
    model.graph.nodes.push_back(node);
    EXPECT_TRUE(hasGroups());
}

TEST(ImportedFamilyTest, messagesDoNotCallItByTheFamilysName)
{
    EXPECT_EQ(calledModel(importedFamily(std::make_shared<const archive::ExportedModel>())), "the exported model");
}

} // namespace
} // namespace headroom::config::imported_family_test
