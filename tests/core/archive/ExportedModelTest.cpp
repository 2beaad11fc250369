// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ExportedModel.h"

#include "core/archive/Blocks.h"
#include "core/archive/Flops.h"
#include "core/base/Error.h"
#include "tests/support/Checkout.h"
#include "tests/support/Refusal.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

// Archives that tests/reference/imported_values.py wrote.
namespace headroom::archive::exported_model_test {
namespace {

std::shared_ptr<const ExportedModel> read(const std::string& name)
{
    return readExportedModel(checkout("tests/reference/imported/" + name + ".pt2"));
}

std::vector<std::string> dimensionNames(const ExportedModel& model)
{
    std::vector<std::string> names;
    for (const FreeDimension& dimension : model.dimensions)
        names.push_back(dimension.name);
    return names;
}

TEST(ExportedModelTest, freeSizesBearTheNamesOfTheWorkload)
{
    EXPECT_THAT(dimensionNames(*read("llama")), testing::ElementsAre("batch", "sequence_length"));
    const auto ltx = read("ltx-video");
    EXPECT_THAT(dimensionNames(*ltx), testing::IsSupersetOf({"batch", "num_frames", "height", "width"}));
}

TEST(ExportedModelTest, ofTiedTensorsOneIsTheModelsOwn)
{
    const auto model = read("tied");
    const auto tied =
        std::ranges::count_if(model->tensors, [](const StoredTensor& stored) { return !stored.tiedTo.empty(); });
    EXPECT_GE(tied, 1);
    const auto head = std::ranges::find(model->tensors, "head.weight", &StoredTensor::name);
    ASSERT_NE(head, model->tensors.end());
    EXPECT_EQ(head->tiedTo, "table.weight");
}

TEST(ExportedModelTest, regionsAreSplicedIntoTheGraph)
{
    const auto model = read("regions");
    EXPECT_TRUE(model->graph.subgraphs.empty());
    const auto inRegion = [&](ModeRegion::Kind kind) {
        return std::ranges::count_if(model->graph.nodes, [&](const Node& node) {
            return std::ranges::any_of(node.regions, [&](const ModeRegion& region) { return region.kind == kind; });
        });
    };
    EXPECT_GE(inRegion(ModeRegion::Kind::Gradients), 3);
    EXPECT_GE(inRegion(ModeRegion::Kind::Autocast), 1);
}

TEST(ExportedModelTest, operationsFollowTheSizes)
{
    const auto model = read("llama");
    const double small = forwardFlops(*model, model->symbols({{"batch", 1}, {"sequence_length", 6}}));
    const double twice = forwardFlops(*model, model->symbols({{"batch", 2}, {"sequence_length", 6}}));
    EXPECT_GT(small, 0);
    EXPECT_EQ(twice, 2 * small);
}

TEST(ExportedModelTest, aModuleThatIsCalledTwiceIsTwoBlocks)
{
    const auto model = read("tied");
    const Blocks blocks = findBlocks(*model, {}, "model.blocks");
    std::vector<std::string> paths;
    for (const BlockRange& range : blocks.ranges)
        paths.push_back(range.path);
    EXPECT_THAT(paths, testing::ElementsAre("layers.0", "layers.1", "layers.0"));
}

// Every archive that cannot be read is refused by what its maker says a refusal has to name.
TEST(ExportedModelTest, anotherSchemaAndTheFilesOfOldVersionsAreRefused)
{
    for (const char* name : {"other-schema", "old-layout"}) {
        const std::string text = refusal<FileError>([&] { read(name); });
        const auto facts =
            nlohmann::json::parse(contentOf(checkout("tests/reference/imported/" + std::string(name) + ".json")));
        for (const std::string part : facts.at("refusal_names"))
            EXPECT_THAT(text, testing::HasSubstr(part)) << name;
    }
}

TEST(ExportedModelTest, anUnchangedFileIsReadOnce)
{
    EXPECT_EQ(read("llama"), read("llama"));
}

} // namespace
} // namespace headroom::archive::exported_model_test
