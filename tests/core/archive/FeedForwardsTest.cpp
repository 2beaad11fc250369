// SPDX-License-Identifier: Apache-2.0
#include "core/archive/FeedForwards.h"

#include "tests/core/archive/GraphText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::feed_forwards_test {
namespace {

/// A model of Linears of one module, "mlp", within one block.
class SmallModel {
public:
    SmallModel() { m_text.input("x", {2, 4}); }

    SmallModel& linear(const std::string& name, const std::string& input, std::int64_t in, std::int64_t out)
    {
        const std::string path = "layers.0.mlp." + name;
        StoredTensor weight;
        weight.name = path + ".weight";
        weight.value = "p_" + name;
        weight.info = TensorInfo{7, {Size{out}, Size{in}}, true};
        m_weights.push_back(weight);
        m_text.node(atenOp("linear.default"),
            {{"input", GraphText::tensor(input)}, {"weight", GraphText::tensor("p_" + name)}}, name, {2, out},
            "a,,Model;b,layers.0,Layer;c,layers.0.mlp,Mlp;d" + name + "," + path + ",Linear");
        return *this;
    }
    SmallModel& op(
        const std::string& name, const std::string& target, const std::vector<std::string>& inputs, std::int64_t width)
    {
        std::vector<std::pair<std::string, Json>> arguments;
        for (const std::string& input : inputs)
            arguments.emplace_back(arguments.empty() ? "self" : "other", GraphText::tensor(input));
        m_text.node(atenOp(target), arguments, name, {2, width}, kMlp);
        return *this;
    }
    SmallModel& halves(const std::string& input, std::int64_t width)
    {
        m_text.node(atenOp("chunk.default"),
            {{"self", GraphText::tensor(input)}, {"chunks", {{"as_int", 2}}}, {"dim", {{"as_int", -1}}}},
            {Json{{"as_tensors", {{{"name", "value"}}, {{"name", "gate"}}}}}}, "chunk", kMlp);
        m_text.describe("value", {2, width}).describe("gate", {2, width});
        return *this;
    }
    SmallModel& output(const std::string& name)
    {
        m_text.output(name);
        return *this;
    }
    std::vector<FeedForwardNodes> found() const
    {
        ExportedModel model;
        model.graph = m_text.graph();
        model.tensors = m_weights;
        return findFeedForwards(model, {});
    }

private:
    static constexpr const char* kMlp = "a,,Model;b,layers.0,Layer;c,layers.0.mlp,Mlp";

    GraphText m_text;
    std::vector<StoredTensor> m_weights;
};

TEST(FeedForwardsTest, twoLinearsWithAnActivationBetween)
{
    const auto found = SmallModel()
                           .linear("up", "x", 4, 16)
                           .op("gelu", "gelu.default", {"up"}, 16)
                           .linear("down", "gelu", 16, 4)
                           .output("down")
                           .found();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, "layers.0.mlp");
    EXPECT_EQ(found[0].inner, 16);
    EXPECT_EQ(found[0].input, "x");
    EXPECT_EQ(found[0].channels.size(), 1U);
    EXPECT_EQ(found[0].between, std::vector<std::size_t>{1});
}

// An export asserts the type of what it casts, as the SiLU in float32 of Lumina's feed-forwards does.
TEST(FeedForwardsTest, assertionsOfTypesAreNoReaders)
{
    const auto found = SmallModel()
                           .linear("up", "x", 4, 16)
                           .op("assertion", "_assert_tensor_metadata.default", {"up"}, 16)
                           .op("to", "to.dtype", {"up"}, 16)
                           .op("silu", "silu.default", {"to"}, 16)
                           .linear("down", "silu", 16, 4)
                           .output("down")
                           .found();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].between, (std::vector<std::size_t>{2, 3}));
}

TEST(FeedForwardsTest, valueAndGateOfTheirOwn)
{
    const auto found = SmallModel()
                           .linear("gate", "x", 4, 16)
                           .op("silu", "silu.default", {"gate"}, 16)
                           .linear("up", "x", 4, 16)
                           .op("mul", "mul.Tensor", {"silu", "up"}, 16)
                           .linear("down", "mul", 16, 4)
                           .output("down")
                           .found();
    ASSERT_EQ(found.size(), 1U);
    ASSERT_EQ(found[0].projections.size(), 2U);
    EXPECT_EQ(found[0].projections[0].path, "layers.0.mlp.gate");
    EXPECT_EQ(found[0].projections[1].path, "layers.0.mlp.up");
    ASSERT_EQ(found[0].channels.size(), 2U);
    EXPECT_EQ(found[0].channels[1].projection, 1U);
}

TEST(FeedForwardsTest, halvesOfOneProjection)
{
    const auto found = SmallModel()
                           .linear("proj", "x", 4, 32)
                           .halves("proj", 16)
                           .op("gelu", "gelu.default", {"gate"}, 16)
                           .op("mul", "mul.Tensor", {"value", "gelu"}, 16)
                           .linear("down", "mul", 16, 4)
                           .output("down")
                           .found();
    ASSERT_EQ(found.size(), 1U);
    ASSERT_EQ(found[0].channels.size(), 2U);
    EXPECT_EQ(found[0].channels[0].first, 0);
    EXPECT_EQ(found[0].channels[0].value, "value");
    EXPECT_EQ(found[0].channels[1].first, 16);
    EXPECT_EQ(found[0].cuts.size(), 1U);
}

TEST(FeedForwardsTest, whatIsNotOfSingleElementsIsNone)
{
    EXPECT_TRUE(SmallModel()
            .linear("up", "x", 4, 16)
            .op("softmax", "softmax.int", {"up"}, 16)
            .linear("down", "softmax", 16, 4)
            .output("down")
            .found()
            .empty());
    EXPECT_TRUE(SmallModel().linear("up", "x", 4, 16).linear("down", "up", 16, 4).output("down").found().empty())
        << "two Linears with nothing between are one product, not a feed-forward";
}

TEST(FeedForwardsTest, anActivationThatSomethingElseReadsIsNotCut)
{
    EXPECT_TRUE(SmallModel()
            .linear("up", "x", 4, 16)
            .op("gelu", "gelu.default", {"up"}, 16)
            .linear("down", "gelu", 16, 4)
            .output("down")
            .output("gelu")
            .found()
            .empty());
}

TEST(FeedForwardsTest, projectionsOfOtherInputsAreNotOfOne)
{
    EXPECT_TRUE(SmallModel()
            .op("other", "relu.default", {"x"}, 4)
            .linear("gate", "x", 4, 16)
            .linear("up", "other", 4, 16)
            .op("mul", "mul.Tensor", {"gate", "up"}, 16)
            .linear("down", "mul", 16, 4)
            .output("down")
            .found()
            .empty());
}

} // namespace
} // namespace headroom::archive::feed_forwards_test
