// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/IndexBounds.h"

#include "tests/core/archive/GraphText.h"

#include <gtest/gtest.h>

namespace headroom::models::index_bounds_test {
namespace {

using archive::atenOp;
using archive::GraphText;
using archive::number;

std::optional<std::int64_t> boundOf(const GraphText& text, const std::string& input)
{
    archive::ExportedModel model;
    model.graph = text.graph();
    return indexBound(model, input, {});
}

// Edges [2, 6] between 9 nodes, in rows of their own.
GraphText edges()
{
    GraphText text;
    text.input("nodes", {9, 4}).input("edges", {2, 6});
    text.node(atenOp("select.int"), {{"self", GraphText::tensor("edges")}, {"dim", number(0)}, {"index", number(1)}},
        "targets", {6});
    return text;
}

TEST(IndexBoundsTest, elementsOfATensorThatAnInputPicks)
{
    GraphText text = edges();
    text.node(atenOp("index.Tensor"),
        {{"self", GraphText::tensor("nodes")}, {"indices", {{"as_tensors", {{{"name", "targets"}}}}}}}, "picked",
        {6, 4});
    EXPECT_EQ(boundOf(text, "edges"), 9);
    EXPECT_EQ(boundOf(text, "nodes"), std::nullopt);
}

TEST(IndexBoundsTest, theSmallestOfSeveralPlaces)
{
    GraphText text = edges();
    text.input("sums", {7, 4}).input("messages", {6, 4});
    text.node(atenOp("index_add_.default"),
        {{"self", GraphText::tensor("sums")}, {"dim", number(-2)}, {"index", GraphText::tensor("targets")},
            {"source", GraphText::tensor("messages")}},
        "summed", {7, 4});
    text.node(atenOp("index_select.default"),
        {{"self", GraphText::tensor("nodes")}, {"dim", number(0)}, {"index", GraphText::tensor("targets")}}, "picked",
        {6, 4});
    EXPECT_EQ(boundOf(text, "edges"), 7);
}

TEST(IndexBoundsTest, classesOfALoss)
{
    GraphText text;
    text.input("logits", {4, 10}).input("labels", {2, 2});
    text.node(
        atenOp("view.default"), {{"self", GraphText::tensor("labels")}, {"size", {{"as_ints", {4}}}}}, "flat", {4});
    text.node(atenOp("cross_entropy_loss.default"),
        {{"self", GraphText::tensor("logits")}, {"target", GraphText::tensor("flat")}}, "loss", {});
    EXPECT_EQ(boundOf(text, "labels"), 10);
    GraphText hot;
    hot.input("labels", {3});
    hot.node(
        atenOp("one_hot.default"), {{"self", GraphText::tensor("labels")}, {"num_classes", number(5)}}, "hot", {3, 5});
    EXPECT_EQ(boundOf(hot, "labels"), 5);
}

TEST(IndexBoundsTest, whatIsComputedOfAnInputIsNoLongerIt)
{
    GraphText text;
    text.input("table", {9, 4}).input("steps", {6});
    text.node(atenOp("remainder.Scalar"), {{"self", GraphText::tensor("steps")}, {"other", number(9)}}, "row", {6});
    text.node(atenOp("embedding.default"),
        {{"weight", GraphText::tensor("table")}, {"indices", GraphText::tensor("row")}}, "rows", {6, 4});
    EXPECT_EQ(boundOf(text, "steps"), std::nullopt);
}

} // namespace
} // namespace headroom::models::index_bounds_test
