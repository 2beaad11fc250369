// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Blocks.h"

#include "core/base/Error.h"
#include "tests/core/archive/GraphText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::blocks_test {
namespace {

// One node in each module call: "key,path,class;...".
ExportedModel modelOf(const std::vector<std::string>& modules)
{
    GraphText text;
    text.input("x0", {4});
    for (std::size_t i = 0; i < modules.size(); ++i)
        text.node(atenOp("relu.default"), {{"self", GraphText::tensor("x" + std::to_string(i))}},
            "x" + std::to_string(i + 1), {4}, modules[i]);
    text.output("x" + std::to_string(modules.size()));
    ExportedModel model;
    model.graph = text.graph();
    return model;
}

std::vector<std::string> rangesOf(const Blocks& blocks)
{
    std::vector<std::string> texts;
    for (const BlockRange& range : blocks.ranges)
        texts.push_back(range.path + " " + std::to_string(range.first) + "-" + std::to_string(range.last));
    return texts;
}

const ExportedModel kLayers = modelOf({"r,,M;e,embed,Embedding", "r,,M;l0,layers.0,Layer;m0,layers.0.mlp,Mlp",
    "r,,M;l0,layers.0,Layer", "r,,M;l1,layers.1,Layer", "r,,M;l0@1,layers.0,Layer", "r,,M;n,norm,Norm"});

TEST(BlocksTest, elementsOfANumberedListWhoseClassIsRepeated)
{
    EXPECT_THAT(rangesOf(findBlocks(kLayers, {}, "model.blocks")),
        testing::ElementsAre("layers.0 1-2", "layers.1 3-3", "layers.0 4-4"));
}

TEST(BlocksTest, namedByListOrClass)
{
    EXPECT_THAT(rangesOf(findBlocks(kLayers, "layers", "model.blocks")),
        testing::ElementsAre("layers.0 1-2", "layers.1 3-3", "layers.0 4-4"));
    EXPECT_THAT(rangesOf(findBlocks(kLayers, "Mlp", "model.blocks")), testing::ElementsAre("layers.0.mlp 1-1"));
}

TEST(BlocksTest, anotherNameIsRefusedWithThoseThatThereAre)
{
    try {
        findBlocks(kLayers, "blocks", "model.blocks");
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_EQ(error.where(), "model.blocks");
        EXPECT_THAT(error.valid(), testing::HasSubstr("layers"));
        EXPECT_THAT(error.valid(), testing::HasSubstr("Layer"));
    }
}

TEST(BlocksTest, theCaptureNamesThem)
{
    ExportedModel model = kLayers;
    model.notes.blocks = {"embed", "norm"};
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")), testing::ElementsAre("embed 0-0", "norm 5-5"));
}

TEST(BlocksTest, oneWithinAnotherIsAPartOfIt)
{
    const ExportedModel nested = modelOf({"r,,M;o,outer.0,Outer;a,outer.0.inner.0,Inner",
        "r,,M;o,outer.0,Outer;b,outer.0.inner.1,Inner", "r,,M;p,outer.1,Outer"});
    EXPECT_THAT(rangesOf(findBlocks(nested, {}, "model.blocks")), testing::ElementsAre("outer.0 0-1", "outer.1 2-2"));
}

} // namespace
} // namespace headroom::archive::blocks_test
