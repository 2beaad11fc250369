// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Linears.h"

#include "tests/core/archive/GraphText.h"

#include <gtest/gtest.h>

namespace headroom::archive::linears_test {
namespace {

constexpr const char* kModel = "a,,Model";
constexpr const char* kLayer = "a,,Model;b,up,FalconLinear";

/// input @ weight.T, of a module that multiplies so.
class Product {
public:
    Product()
    {
        m_text.input("x", {2, 4});
        m_weights.push_back({.name = "up.weight", .value = "p_up", .info = {7, {Size{16}, Size{4}}, true}});
        m_weights.push_back({.name = "up.bias", .value = "p_bias", .info = {7, {Size{16}}, true}});
    }

    Product& turn(const std::string& op, const std::string& weight = "p_up")
    {
        m_text.node(atenOp(op), {{"self", GraphText::tensor(weight)}}, "turned", {4, 16}, kLayer);
        return *this;
    }
    Product& relu(const std::string& from, const std::string& to, const std::string& modules = kModel)
    {
        m_text.node(atenOp("relu.default"), {{"self", GraphText::tensor(from)}}, to, {2, 4}, modules);
        return *this;
    }
    Product& multiply(const std::string& input = "x") { return two("matmul.default", input, "turned", "product"); }
    Product& two(const std::string& op, const std::string& left, const std::string& right, const std::string& result)
    {
        m_text.node(atenOp(op), {{"self", GraphText::tensor(left)}, {"other", GraphText::tensor(right)}}, result,
            {2, 16}, kLayer);
        return *this;
    }

    std::vector<LinearNode> linears()
    {
        ExportedModel model;
        model.graph = m_text.output("product").graph();
        model.tensors = m_weights;
        return linearNodes(model);
    }

private:
    GraphText m_text;
    std::vector<StoredTensor> m_weights;
};

TEST(LinearsTest, aProductWithTheTransposedWeightIsOne)
{
    for (const char* op : {"numpy_T.default", "t.default"}) {
        const auto found = Product().turn(op).multiply().two("add.Tensor", "product", "p_bias", "sum").linears();
        ASSERT_EQ(found.size(), 1U) << op;
        EXPECT_EQ(found[0].path, "up");
        EXPECT_EQ(found[0].rows, 16);
        EXPECT_EQ(found[0].columns, 4);
        EXPECT_FALSE(found[0].isTransposed) << "the weight is [out, in]";
        EXPECT_EQ(found[0].first, 0U);
        EXPECT_EQ(found[0].node, 1U);
        EXPECT_EQ(found[0].last, 1U);
        EXPECT_EQ(found[0].input, "x");
        EXPECT_EQ(found[0].output, "product");
        EXPECT_TRUE(found[0].bias.empty()) << "it is added by the graph";
    }
}

TEST(LinearsTest, aTransposeThatIsReadElsewhereStaysTheGraphs)
{
    EXPECT_TRUE(Product().turn("numpy_T.default").multiply().relu("turned", "other").linears().empty());
}

TEST(LinearsTest, anInputThatIsMadeAfterTheTransposeIsNotThereYet)
{
    EXPECT_TRUE(Product().turn("numpy_T.default").relu("x", "late", kLayer).multiply("late").linears().empty());
}

TEST(LinearsTest, anotherTensorThanTheModulesWeightIsNone)
{
    EXPECT_TRUE(Product().turn("numpy_T.default", "x").multiply().linears().empty());
    EXPECT_TRUE(Product().turn("relu.default").multiply().linears().empty());
}

} // namespace
} // namespace headroom::archive::linears_test
