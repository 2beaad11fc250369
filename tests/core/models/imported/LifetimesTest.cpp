// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedModel.h"

#include "core/models/imported/GraphBlocks.h"
#include "tests/core/archive/GraphText.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::models::lifetimes_test {
namespace {

using archive::atenOp;
using archive::GraphText;

/// a = relu(x); within the module: b = relu(a), c = relu(b); d = relu(c) outside.
archive::ExportedModel chain()
{
    const auto relu = [](GraphText& text, const std::string& from, const std::string& to, const std::string& modules) {
        text.node(atenOp("relu.default"), {{"self", GraphText::tensor(from)}}, to, {4}, modules);
    };
    GraphText text;
    text.input("x", {4});
    relu(text, "x", "a", "r,,M");
    relu(text, "a", "b", "r,,M;i,inner,Inner");
    relu(text, "b", "c", "r,,M;i,inner,Inner");
    relu(text, "c", "d", "r,,M");
    archive::ExportedModel model;
    model.graph = text.output("d").graph();
    return model;
}

std::map<std::string, std::size_t> releasesOf(const archive::ExportedModel& model)
{
    const auto program = compileGraph(model.graph, testDevice());
    const auto releases = setLifetimes(*program, model, std::vector<bool>(program->names.size(), false));
    std::map<std::string, std::size_t> named;
    for (std::size_t value = 0; value < releases.size(); ++value) {
        named[program->names[value]] = releases[value];
        if (releases[value] < program->nodes.size()) {
            EXPECT_THAT(program->nodes[releases[value]].released, testing::Contains(static_cast<ValueId>(value)));
        }
    }
    return named;
}

TEST(LifetimesTest, withoutARecordArgumentsLiveAsLongAsTheCall)
{
    const auto releases = releasesOf(chain());
    EXPECT_EQ(releases.at("a"), 2U) << "the module's argument";
    EXPECT_EQ(releases.at("b"), 2U) << "its own";
    EXPECT_EQ(releases.at("c"), 3U);
    EXPECT_EQ(releases.at("d"), 4U) << "the output stays";
}

TEST(LifetimesTest, asTheCaptureRecordedThem)
{
    archive::ExportedModel model = chain();
    model.notes.lifetimes = std::map<std::string, std::string>{{"a", "d"}, {"b", ""}, {"c", "b"}};
    const auto releases = releasesOf(model);
    EXPECT_EQ(releases.at("a"), 2U) << "before d runs";
    EXPECT_EQ(releases.at("b"), 4U) << "beyond the end";
    EXPECT_EQ(releases.at("c"), 3U) << "never before its last use";
}

TEST(LifetimesTest, aValueThatIsNotRecordedDiesAfterItsLastUse)
{
    archive::ExportedModel model = chain();
    model.notes.lifetimes = std::map<std::string, std::string>{{"c", "d"}};
    EXPECT_EQ(releasesOf(model).at("a"), 1U);
}

/// Two blocks of two nodes each, one after the other: a, b and c, d.
ExecutableGraph twoBlocks(const std::map<std::string, std::string>& recorded)
{
    GraphText text;
    text.input("x", {4});
    std::string from = "x";
    for (const char* to : {"a", "b", "c", "d"}) {
        const std::string place = *to < 'c' ? "0" : "1";
        text.node(atenOp("relu.default"), {{"self", GraphText::tensor(from)}}, to, {4},
            "r,,M;l" + place + ",layers." + place + ",Layer");
        from = to;
    }
    archive::ExportedModel model;
    model.graph = text.output("d").graph();
    model.notes.lifetimes = recorded;
    ExecutableGraph graph;
    graph.archive = std::make_shared<const archive::ExportedModel>(std::move(model));
    graph.program = compileGraph(graph.archive->graph, testDevice());
    graph.own.resize(graph.program->names.size());
    for (const char* path : {"layers.0", "layers.1"})
        graph.modules.emplace(path, std::make_shared<ImportedModule>("Layer"));
    graph.blocks = executableBlocks(graph, archive::findBlocks(*graph.archive, {}, "model.blocks"),
        setLifetimes(*graph.program, *graph.archive, std::vector<bool>(graph.own.size(), false)));
    return graph;
}

// A local of the first block's forward is gone when the second one begins, whichever of its nodes did something first.
TEST(LifetimesTest, whatDiesAtANodeOfAnotherBlockDiesBeforeIt)
{
    const ExecutableGraph graph = twoBlocks({{"a", "d"}});
    ASSERT_EQ(graph.blocks.size(), 2U);
    EXPECT_THAT(graph.blocks[0].makes, testing::ElementsAre(graph.program->idOf("b")));
}

TEST(LifetimesTest, whatABlockMakesAndHoldsBeyondItsEndPassesItsBorder)
{
    const ExecutableGraph graph = twoBlocks({{"a", ""}});
    EXPECT_THAT(
        graph.blocks[0].makes, testing::UnorderedElementsAre(graph.program->idOf("a"), graph.program->idOf("b")));
    EXPECT_THAT(graph.blocks[1].released, testing::ElementsAre(graph.program->idOf("b")));
}

} // namespace
} // namespace headroom::models::lifetimes_test
