// SPDX-License-Identifier: Apache-2.0
#include "core/archive/MaskedFills.h"
#include "tests/core/archive/GraphText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::masked_fills_test {
namespace {

constexpr int kBool = 12;
const char* const kPut = "torch.ops.aten.index_put_.default";

/// x[mask] = y in a graph: what the export makes of it, and what becomes of that.
class MaskedFillsTest : public testing::Test {
protected:
    Graph madeFrom(const std::vector<std::int64_t>& maskSizes, const std::string& maker = "scalar_tensor.default",
        const std::vector<std::int64_t>& valueSizes = {}, bool accumulates = false)
    {
        GraphText text;
        text.input("x", {4, 8}).input("mask", maskSizes).node("torch.ops.aten." + maker, {}, "y", valueSizes);
        text.node(kPut,
            {{"self", GraphText::tensor("x")}, {"indices", {{"as_tensors", {{{"name", "mask"}}}}}},
                {"values", GraphText::tensor("y")}, {"accumulate", {{"as_bool", accumulates}}}},
            "filled", {4, 8});
        Graph graph = text.graph();
        graph.tensors.at("mask").scalarType = kBool;
        makeMaskedFills(graph);
        return graph;
    }
};

TEST_F(MaskedFillsTest, aNumberInThePlaceOfWhatAMaskSelectsIsAFill)
{
    for (const char* maker : {"scalar_tensor.default", "lift_fresh_copy.default"}) {
        const Node node = madeFrom({4, 8}, maker).nodes.back();
        EXPECT_EQ(node.target, "torch.ops.aten.masked_fill_.Tensor") << maker;
        ASSERT_EQ(node.inputs.size(), 3U);
        EXPECT_EQ(node.inputs[1].name, "mask");
        EXPECT_EQ(node.inputs[1].value.name, "mask");
        EXPECT_EQ(node.inputs[2].name, "value");
        EXPECT_EQ(node.inputs[2].value.name, "y");
        EXPECT_EQ(node.name, "filled");
    }
}

TEST_F(MaskedFillsTest, othersStayAsTheyAre)
{
    EXPECT_EQ(madeFrom({4}).nodes.back().target, kPut) << "a mask of rows";
    EXPECT_EQ(madeFrom({4, 8}, "relu.default", {3}).nodes.back().target, kPut) << "values that are computed";
    EXPECT_EQ(madeFrom({4, 8}, "relu.default").nodes.back().target, kPut) << "a number that is computed";
    EXPECT_EQ(madeFrom({4, 8}, "scalar_tensor.default", {}, true).nodes.back().target, kPut) << "an addition";
}

} // namespace
} // namespace headroom::archive::masked_fills_test
