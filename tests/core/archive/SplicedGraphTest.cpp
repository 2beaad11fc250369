// SPDX-License-Identifier: Apache-2.0
#include "core/archive/SplicedGraph.h"

#include "core/base/Error.h"
#include "tests/core/archive/GraphText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::spliced_graph_test {
namespace {

constexpr const char* kNoGrad = "torch.ops.higher_order.wrap_with_set_grad_enabled";
constexpr const char* kAutocast = "torch.ops.higher_order.wrap_with_autocast";

Json squared()
{
    return GraphText()
        .input("x", {4})
        .node(atenOp("mul.Tensor"), {{"self", GraphText::tensor("x")}, {"other", GraphText::tensor("x")}}, "mul", {4})
        .node(atenOp("neg.default"), {{"self", GraphText::tensor("mul")}}, "neg", {4})
        .output("neg")
        .json();
}

Graph withoutGradients(const Json& inner)
{
    return GraphText()
        .input("hidden", {4})
        .node(atenOp("relu.default"), {{"self", GraphText::tensor("hidden")}}, "relu", {4})
        .node(kNoGrad,
            {{"", {{"as_bool", false}}}, {"", GraphText::graphArgument("submod_1", inner)},
                {"", GraphText::tensor("relu")}},
            {GraphText::tensor("getitem")}, "wrap", "L__self__,,Model")
        .describe("getitem", {4})
        .node(atenOp("add.Tensor"), {{"self", GraphText::tensor("relu")}, {"other", GraphText::tensor("getitem")}},
            "add", {4})
        .output("add")
        .graph();
}

std::vector<std::string> namesOf(const Graph& graph)
{
    std::vector<std::string> names;
    for (const Node& node : graph.nodes)
        names.push_back(node.name);
    return names;
}

TEST(SplicedGraphTest, nodesOfARegionTakeTheWrappersPlace)
{
    const Graph graph = spliced(withoutGradients(squared()), "model.json");
    EXPECT_THAT(namesOf(graph), testing::ElementsAre("relu", "submod_1.mul", "submod_1.neg", "add"));
    EXPECT_EQ(graph.nodes[1].inputs[0].value.name, "relu");
    EXPECT_EQ(graph.nodes[2].inputs[0].value.name, "submod_1.mul");
    EXPECT_EQ(graph.nodes[2].outputs[0].name, "getitem");
    EXPECT_EQ(graph.nodes[3].inputs[1].value.name, "getitem");
    EXPECT_TRUE(graph.tensors.contains("submod_1.mul"));
    EXPECT_TRUE(graph.subgraphs.empty());
}

TEST(SplicedGraphTest, nodesKnowTheRegionsAroundThem)
{
    const Graph graph = spliced(withoutGradients(squared()), "model.json");
    EXPECT_TRUE(graph.nodes[0].regions.empty());
    ASSERT_EQ(graph.nodes[1].regions.size(), 1U);
    EXPECT_EQ(graph.nodes[1].regions[0].kind, ModeRegion::Kind::Gradients);
    EXPECT_FALSE(graph.nodes[1].regions[0].isOn);
    EXPECT_EQ(graph.nodes[1].regions, graph.nodes[2].regions);
    EXPECT_TRUE(graph.nodes[3].regions.empty());
}

TEST(SplicedGraphTest, regionsNest)
{
    const Json inner = GraphText()
                           .input("x", {4})
                           .node(kNoGrad,
                               {{"", {{"as_bool", false}}}, {"", GraphText::graphArgument("deep", squared())},
                                   {"", GraphText::tensor("x")}},
                               {GraphText::tensor("out")}, "wrap_deep")
                           .describe("out", {4})
                           .output("out")
                           .json();
    const Graph graph =
        spliced(GraphText()
                    .input("hidden", {4})
                    .node(kAutocast,
                        {{"", {{"as_string", "cuda"}}}, {"", {{"as_scalar_type", 13}}}, {"", {{"as_bool", true}}},
                            {"", {{"as_bool", false}}}, {"", GraphText::graphArgument("outer", inner)},
                            {"", GraphText::tensor("hidden")}},
                        {GraphText::tensor("result")}, "wrap")
                    .describe("result", {4})
                    .output("result")
                    .graph(),
            "model.json");
    ASSERT_EQ(graph.nodes.size(), 2U);
    ASSERT_EQ(graph.nodes[1].regions.size(), 2U);
    EXPECT_EQ(graph.nodes[1].regions[0].kind, ModeRegion::Kind::Autocast);
    EXPECT_EQ(graph.nodes[1].regions[0].scalarType, 13);
    EXPECT_EQ(graph.nodes[1].regions[1].kind, ModeRegion::Kind::Gradients);
    EXPECT_EQ(graph.nodes[1].outputs[0].name, "result");
    EXPECT_EQ(graph.nodes[0].inputs[0].value.name, "hidden");
}

TEST(SplicedGraphTest, whatARegionPassesThroughIsTheSameValue)
{
    Json inner = squared();
    inner["outputs"].push_back(GraphText::tensor("x"));
    GraphText text;
    text.input("hidden", {4})
        .node(kNoGrad,
            {{"", {{"as_bool", false}}}, {"", GraphText::graphArgument("submod_1", inner)},
                {"", GraphText::tensor("hidden")}},
            {GraphText::tensor("first"), GraphText::tensor("second")}, "wrap")
        .describe("first", {4})
        .describe("second", {4})
        .node(atenOp("add.Tensor"), {{"self", GraphText::tensor("first")}, {"other", GraphText::tensor("second")}},
            "add", {4})
        .output("add");
    const Graph graph = spliced(text.graph(), "model.json");
    EXPECT_EQ(graph.nodes.back().inputs[1].value.name, "hidden");
}

TEST(SplicedGraphTest, aGraphThatDoesNotFitItsNodeIsRefused)
{
    Json inner = squared();
    inner["inputs"].push_back(GraphText::tensor("y"));
    EXPECT_THROW(spliced(withoutGradients(inner), "model.json"), FileError);
    inner = squared();
    inner["outputs"] = Json::array();
    EXPECT_THROW(spliced(withoutGradients(inner), "model.json"), FileError);
}

} // namespace
} // namespace headroom::archive::spliced_graph_test
