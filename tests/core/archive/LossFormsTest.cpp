// SPDX-License-Identifier: Apache-2.0
#include "core/archive/LossForms.h"
#include "core/archive/OutputNames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::archive::loss_forms_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kInt64 = 5;
constexpr int kFloat32 = 7;
constexpr int kBool = 12;

Size freeSize(const std::string& symbol, std::int64_t example)
{
    return {.example = example, .expression = SizeExpression::parse("Symbol('" + symbol + "', positive=True)")};
}

/// Logits [batch, tokens, 11] of free sizes.
class LossFormsTest : public testing::Test {
protected:
    LossFormsTest() { output("logits", {kFloat32, {freeSize("s0", 2), freeSize("s1", 8), Size{11}}, true}); }

    void output(const std::string& value, const TensorInfo& info)
    {
        m_model.outputs.push_back(value);
        m_model.graph.tensors[value] = info;
    }
    void input(const std::string& name, int type, const std::string& tokens = "s1")
    {
        m_model.inputs.push_back({name, TensorInfo{type, {freeSize("s0", 2), freeSize(tokens, 8)}, false}});
    }

    ExportedModel m_model;
};

TEST_F(LossFormsTest, theOnlyInputOfIntegersHoldsTheTokens)
{
    input("tokens", kInt64);
    input("positions", kFloat32);
    input("attention_mask", kInt64);
    input("padding", kBool);
    EXPECT_THAT(tokenInputs(m_model), ElementsAre("tokens"));
}

TEST_F(LossFormsTest, anInputOfOtherSizesHoldsNone)
{
    input("encoder_tokens", kInt64, "s7");
    input("tokens", kInt64);
    EXPECT_THAT(tokenInputs(m_model), ElementsAre("tokens"));
}

TEST_F(LossFormsTest, severalAreToldApartByTransformersNames)
{
    input("first", kInt64);
    input("second", kInt64);
    EXPECT_THAT(tokenInputs(m_model), ElementsAre("first", "second"));
    input("input_ids", kInt64);
    EXPECT_THAT(tokenInputs(m_model), ElementsAre("input_ids"));
    input("decoder_input_ids", kInt64);
    EXPECT_THAT(tokenInputs(m_model), ElementsAre("decoder_input_ids"));
}

TEST_F(LossFormsTest, outputsThatAreNoLogitsHaveNoTokens)
{
    input("tokens", kInt64);
    m_model.graph.tensors["logits"].sizes.pop_back();
    EXPECT_THAT(tokenInputs(m_model), IsEmpty());
    m_model.outputs.clear();
    EXPECT_THAT(tokenInputs(m_model), IsEmpty());
}

TEST_F(LossFormsTest, whatIsCalledLogitsAreLogits)
{
    input("tokens", kInt64);
    EXPECT_FALSE(returnsLogits(m_model)) << "hidden states have the same form";
    m_model.outputNames = {{"logits", "last_hidden_state"}};
    EXPECT_FALSE(returnsLogits(m_model));
    m_model.outputNames = {{"logits", "logits"}};
    EXPECT_TRUE(returnsLogits(m_model));
    input("others", kInt64);
    EXPECT_FALSE(returnsLogits(m_model)) << "whose next tokens they score is not told";
}

TEST_F(LossFormsTest, asManyScoresAsTheEmbeddingHasRowsAreLogits)
{
    input("tokens", kInt64);
    Node& node = m_model.graph.nodes.emplace_back();
    node.target = "torch.ops.aten.embedding.default";
    node.inputs.push_back({"weight", {.kind = ArgumentKind::Tensor, .name = "table"}});
    m_model.graph.tensors["table"] = {kFloat32, {Size{12}, Size{4}}, false};
    EXPECT_FALSE(returnsLogits(m_model));
    m_model.graph.tensors["table"].sizes.front() = Size{11};
    EXPECT_TRUE(returnsLogits(m_model));
}

TEST_F(LossFormsTest, theFirstScalarIsTheLoss)
{
    EXPECT_EQ(ownLoss(m_model), "");
    output("count", {kInt64, {}, false});
    output("auxiliary", {kFloat32, {}, true});
    output("sum", {kFloat32, {}, true});
    EXPECT_EQ(ownLoss(m_model), "auxiliary");
    EXPECT_EQ(floatingOutput(m_model), "logits");
}

TEST_F(LossFormsTest, whatIsCalledLossIsIt)
{
    output("auxiliary", {kFloat32, {}, true});
    output("sum", {kFloat32, {}, true});
    m_model.outputNames = {{"sum", "loss"}, {"logits", "logits"}};
    EXPECT_EQ(ownLoss(m_model), "sum");
    m_model.outputNames = {{"logits", "loss"}}; // no scalar
    EXPECT_EQ(ownLoss(m_model), "auxiliary");
}

// "aux_loss" beside logits is a part of a loss that the forward did not compute.
TEST_F(LossFormsTest, aScalarOfAnotherNameIsItWhereItComesFirst)
{
    output("auxiliary", {kFloat32, {}, true});
    m_model.outputNames = {{"auxiliary", "aux_loss"}, {"logits", "logits"}};
    EXPECT_EQ(ownLoss(m_model), "");
    std::ranges::reverse(m_model.outputs);
    EXPECT_EQ(ownLoss(m_model), "auxiliary");
}

Json programReturning(const std::string& tree)
{
    Json call;
    call["signature"]["out_spec"] = tree;
    Json program;
    program["graph_module"]["module_call_graph"] = Json::array({call});
    return program;
}

TEST(OutputNamesTest, areTheKeysOfWhatIsReturned)
{
    const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
    const std::string pair =
        R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" + leaf + "," + leaf + "]}";
    EXPECT_THAT(
        outputNamesOf(programReturning(R"([1, {"type": "Output", "context": "[\"loss\", \"past\", \"logits\"]",)"
                                       R"( "children_spec": [)"
            + leaf + "," + pair + "," + leaf + "]}]")),
        ElementsAre("loss", "", "", "logits"));
}

TEST(OutputNamesTest, areNoneWhereNothingIsToldOrNothingFits)
{
    for (const char* tree :
        {"", "[", "[1]", "[1, {}]", "[1, null]", R"([1, {"type": null, "context": null, "children_spec": []}])",
            R"([1, {"type": "T", "context": "null", "children_spec": [{}]}])",
            R"([1, {"type": "T", "context": "[1, 2]", "children_spec": [{}]}])",
            R"([1, {"type": "T", "context": "{", "children_spec": {}}])"})
        EXPECT_THAT(outputNamesOf(programReturning(tree)), IsEmpty()) << tree;
    for (const Json& program : {Json(), Json(1), Json::object(), programReturning("{}")})
        EXPECT_THAT(outputNamesOf(program), IsEmpty()) << program;
}

} // namespace
} // namespace headroom::archive::loss_forms_test
