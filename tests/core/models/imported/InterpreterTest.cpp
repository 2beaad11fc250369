// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/Interpreter.h"

#include "core/base/Error.h"
#include "tests/core/archive/GraphText.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace headroom::models::interpreter_test {
namespace {

using archive::atenOp;
using archive::GraphText;
using archive::Json;
using archive::number;

Json symbol(const std::string& name)
{
    return {{"as_sym_int", {{"as_name", name}}}};
}

/// Compiles a graph and runs it on the inputs; values stay readable by name.
class GraphTry {
public:
    GraphTry(const GraphText& text, const std::vector<c10::IValue>& inputs)
        : m_graph(text.graph())
        , m_program(compileGraph(m_graph, testDevice()))
        , m_values(m_program->names.size())
    {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            m_values[static_cast<std::size_t>(m_program->inputs[i])] = inputs[i];
        Interpreter interpreter(m_values, nullptr, RunMode::Training);
        for (const ProgramNode& node : m_program->nodes)
            interpreter.run(node);
    }

    c10::IValue operator[](const std::string& name) const
    {
        return m_values[static_cast<std::size_t>(m_program->idOf(name))];
    }
    at::Tensor tensor(const std::string& name) const { return (*this)[name].toTensor(); }

private:
    archive::Graph m_graph;
    std::unique_ptr<GraphProgram> m_program;
    GraphValues m_values;
};

at::Tensor counted(at::IntArrayRef shape)
{
    return at::arange(c10::multiply_integers(shape), onTestDevice(at::kFloat)).view(shape);
}

TEST(InterpreterTest, sizesComeFromTheTensorsThatRun)
{
    const GraphTry run(
        GraphText()
            .input("x", {2, 6})
            .node(atenOp("sym_size.int"), {{"self", GraphText::tensor("x")}, {"dim", number(1)}}, {symbol("size")},
                "size")
            .node("_operator.floordiv", {{"", symbol("size")}, {"", number(2)}}, {symbol("half")}, "half")
            .node(atenOp("view.default"),
                {{"self", GraphText::tensor("x")},
                    {"size", {{"as_sym_ints", {{{"as_int", -1}}, {{"as_name", "half"}}}}}}},
                "view", {4, 3})
            .output("view"),
        {counted({3, 10})});
    EXPECT_EQ(run["half"].toInt(), 5);
    EXPECT_EQ(run.tensor("view").sizes(), (std::vector<std::int64_t>{6, 5}));
}

// As in torch.nn.MultiheadAttention, whose contiguous() an export leaves out where attention's result lies that way.
TEST(InterpreterTest, aViewOfATensorThatLiesOtherwiseIsACopy)
{
    const GraphText text = GraphText()
                               .input("x", {2, 6})
                               .node(atenOp("view.default"),
                                   {{"self", GraphText::tensor("x")}, {"size", {{"as_ints", {12}}}}}, "view", {12})
                               .output("view");
    const at::Tensor across = counted({6, 2}).t();
    EXPECT_TRUE(sameNumbers(GraphTry(text, {across}).tensor("view"), across.reshape({12})));
    const at::Tensor along = counted({2, 6});
    EXPECT_TRUE(GraphTry(text, {along}).tensor("view").is_alias_of(along));
    EXPECT_THROW(GraphTry(text, {counted({2, 5})}), TrialError) << "no copy has the size";
}

TEST(InterpreterTest, elementsOfListsAreValuesOfTheirOwn)
{
    requireValues();
    const GraphTry run(
        GraphText()
            .input("x", {2, 6})
            .node(atenOp("chunk.default"),
                {{"self", GraphText::tensor("x")}, {"chunks", number(2)}, {"dim", number(1)}},
                {Json{{"as_tensors", {{{"name", "left"}}, {{"name", "right"}}}}}}, "chunk")
            .node(atenOp("cat.default"),
                {{"tensors", {{"as_tensors", {{{"name", "right"}}, {{"name", "left"}}}}}}, {"dim", number(1)}}, "cat",
                {2, 6})
            .output("cat"),
        {counted({2, 6})});
    EXPECT_TRUE(sameBits(run.tensor("cat"), at::cat({run.tensor("right"), run.tensor("left")}, 1)));
}

// x * 2 in Python: the number takes no part in type promotion.
TEST(InterpreterTest, aNumberInATensorsPlaceKeepsTheTensorsType)
{
    for (const Json& factor : {Json{{"as_int", 2}}, Json{{"as_float", 2.5}}}) {
        const GraphText text =
            GraphText()
                .input("x", {4})
                .node(atenOp("mul.Tensor"), {{"self", GraphText::tensor("x")}, {"other", factor}}, "mul", {4})
                .output("mul");
        EXPECT_EQ(GraphTry(text, {counted({4}).to(at::kBFloat16)}).tensor("mul").scalar_type(), at::kBFloat16);
        const at::ScalarType ofIntegers = factor.contains("as_int") ? at::kLong : at::kFloat;
        EXPECT_EQ(GraphTry(text, {counted({4}).to(at::kLong)}).tensor("mul").scalar_type(), ofIntegers);
    }
    const GraphText bySize =
        GraphText()
            .input("x", {4})
            .node(atenOp("sym_size.int"), {{"self", GraphText::tensor("x")}, {"dim", number(0)}}, {symbol("size")},
                "size")
            .node(atenOp("div.Tensor"), {{"self", GraphText::tensor("x")}, {"other", symbol("size")}}, "div", {4})
            .output("div");
    EXPECT_EQ(GraphTry(bySize, {counted({4}).to(at::kHalf)}).tensor("div").scalar_type(), at::kHalf);
}

TEST(InterpreterTest, operationsInPlaceChangeTheirArgument)
{
    requireValues();
    const GraphTry run(
        GraphText()
            .input("x", {4})
            .node(atenOp("clone.default"), {{"self", GraphText::tensor("x")}}, "clone", {4})
            .node(atenOp("slice.Tensor"),
                {{"self", GraphText::tensor("clone")}, {"dim", number(0)}, {"start", number(0)}, {"end", number(2)}},
                "slice", {2})
            .node(atenOp("mul_.Tensor"), {{"self", GraphText::tensor("slice")}, {"other", number(3)}}, "mul_", {2})
            .output("clone"),
        {counted({4})});
    EXPECT_TRUE(sameBits(run.tensor("clone"), at::tensor({0.F, 3.F, 2.F, 3.F}).to(testDevice())));
    EXPECT_TRUE(run.tensor("mul_").is_same(run.tensor("slice")));
}

TEST(InterpreterTest, tensorsAreMadeOnTheDeviceThatRuns)
{
    const GraphTry run(GraphText()
                           .node(atenOp("arange.default"),
                               {{"end", number(5)}, {"device", {{"as_device", {{"type", "cuda"}, {"index", 3}}}}},
                                   {"pin_memory", {{"as_bool", false}}}},
                               "arange", {5})
                           .output("arange"),
        {});
    EXPECT_EQ(run.tensor("arange").device(), testDevice());
}

TEST(InterpreterTest, dropoutAndBatchNormFollowTheModeOfTheRun)
{
    requireValues();
    const archive::Graph graph =
        GraphText()
            .input("x", {64})
            .node(atenOp("dropout.default"),
                {{"input", GraphText::tensor("x")}, {"p", {{"as_float", 0.5}}}, {"train", {{"as_bool", true}}}},
                "dropout", {64})
            .output("dropout")
            .graph();
    const auto program = compileGraph(graph, testDevice());
    const auto outputOf = [&](RunMode mode) {
        GraphValues values(program->names.size());
        values[static_cast<std::size_t>(program->idOf("x"))] = at::ones({64}, onTestDevice());
        Interpreter(values, nullptr, mode).run(program->nodes.front());
        return values[static_cast<std::size_t>(program->idOf("dropout"))].toTensor();
    };
    EXPECT_EQ(outputOf(RunMode::Evaluation).sum().item<double>(), 64);
    EXPECT_GT(outputOf(RunMode::Training).eq(0).sum().item<std::int64_t>(), 0);
}

// An export with free sizes writes x[:, 1:] so. Eager Python slices one dimension, and so must the backward pass: the
// gradient of a slice is a tensor of its own.
TEST(InterpreterTest, aSliceOfTheWholeIsTheTensorItself)
{
    constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
    const auto slice = [](const std::string& of, std::int64_t dim, std::int64_t start) {
        return std::vector<std::pair<std::string, Json>>{{"self", GraphText::tensor(of)}, {"dim", number(dim)},
            {"start", number(start)}, {"end", number(kToTheEnd)}};
    };
    const GraphText text = GraphText()
                               .input("x", {2, 3})
                               .node(atenOp("slice.Tensor"), slice("x", 0, 0), "whole", {2, 3})
                               .node(atenOp("slice.Tensor"), slice("whole", 1, 1), "part", {2, 2})
                               .output("part");
    const at::Tensor x = counted({2, 3}).requires_grad_();
    const GraphTry done(text, {x});
    EXPECT_TRUE(done.tensor("whole").is_same(x));
    EXPECT_EQ(done.tensor("part").sizes(), at::IntArrayRef({2, 2}));
    EXPECT_NE(done.tensor("part").grad_fn(), nullptr);
}

TEST(InterpreterTest, allMissingOperatorsAreNamedWithTheirPlaces)
{
    const archive::Graph graph =
        GraphText()
            .input("x", {4})
            .node("torch.ops.people.twice.default", {{"x", GraphText::tensor("x")}}, "a", {4}, "r,,M;b,block,Block")
            .node("torch.ops.people.thrice.default", {{"x", GraphText::tensor("a")}}, "b", {4})
            .output("b")
            .graph();
    try {
        compileGraph(graph, testDevice());
        FAIL() << "accepted";
    } catch (const TrialError& error) {
        EXPECT_THAT(error.problem(), testing::HasSubstr("people.twice.default in block"));
        EXPECT_THAT(error.problem(), testing::HasSubstr("people.thrice.default"));
    }
}

TEST(InterpreterTest, whatLibTorchRefusesNamesTheNodesPlace)
{
    requireValues();
    const GraphText text =
        GraphText()
            .input("x", {4})
            .node(atenOp("view.default"), {{"self", GraphText::tensor("x")}, {"size", {{"as_ints", {3, 3}}}}}, "view",
                {3, 3}, "r,,M;b,layers.0,Block")
            .output("view");
    try {
        GraphTry(text, {counted({4})});
        FAIL() << "ran";
    } catch (const TrialError& error) {
        EXPECT_EQ(error.where(), "layers.0");
        EXPECT_THAT(error.problem(), testing::HasSubstr("aten.view.default"));
    }
}

TEST(InterpreterTest, aValueThatIsNotThereNamesTheNodesPlace)
{
    const GraphText text =
        GraphText()
            .input("x", {4})
            .node(atenOp("cat.default"), {{"tensors", {{"as_tensors", Json::array({{{"name", "x"}}})}}}}, "cat", {4},
                "r,,M;b,layers.0,Block")
            .output("cat");
    try {
        GraphTry(text, {c10::IValue()});
        FAIL() << "ran";
    } catch (const TrialError& error) {
        EXPECT_EQ(error.where(), "layers.0");
        EXPECT_THAT(error.problem(), testing::HasSubstr("aten.cat.default: Expected Tensor but got None"));
    }
}

// Whoever asks for it: the list is looked at where operators are looked up.
TEST(InterpreterTest, anOperatorThatIsNotKnownIsNotCompiled)
{
    const auto compiled = [](const std::string& target) {
        return GraphTry(
            GraphText()
                .input("x", {4})
                .node(target, {{"self", GraphText::tensor("x")}, {"source", GraphText::tensor("x")}}, "y", {4})
                .output("y"),
            {counted({4})});
    };
    for (const char* target : {"aten.set_.source_Tensor", "aten.from_file.default", "aten._unsafe_view.default",
             "quantized.add.default", "people.twice.default"})
        try {
            compiled(std::string("torch.ops.") + target);
            FAIL() << target << " ran";
        } catch (const TrialError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(target));
        }
}

// LibTorch's kernel reads as many as there are dimensions, whatever it is given.
TEST(InterpreterTest, aListThatIsTooShortForItsOperatorIsRefused)
{
    const auto padded = [](const Json& padding) {
        return GraphTry(GraphText()
                            .input("x", {1, 2, 2, 2})
                            .node(atenOp("reflection_pad3d.default"),
                                {{"self", GraphText::tensor("x")}, {"padding", padding}}, "y", {1, 4, 4, 4})
                            .output("y"),
            {counted({1, 2, 2, 2})});
    };
    EXPECT_EQ(padded({{"as_ints", {1, 1, 1, 1, 1, 1}}}).tensor("y").sizes(), at::IntArrayRef({1, 4, 4, 4}));
    EXPECT_THROW(padded({{"as_ints", Json::array()}}), TrialError);
    EXPECT_THROW(padded({{"as_ints", {1, 1, 1}}}), TrialError);
    EXPECT_THROW(padded({{"as_sym_ints", {{{"as_int", 1}}, {{"as_int", 1}}}}}), TrialError);
}

// Strides of a pooling are its kernel's sizes where the list is empty, and one number stands for all.
TEST(InterpreterTest, aListMayBeEmptyOrOneNumberWhereItsSchemaSaysSo)
{
    const auto pooled = [](const Json& kernel, const Json& stride) {
        return GraphTry(
            GraphText()
                .input("x", {1, 4, 4})
                .node(atenOp("avg_pool2d.default"),
                    {{"self", GraphText::tensor("x")}, {"kernel_size", kernel}, {"stride", stride}}, "y", {1, 2, 2})
                .output("y"),
            {counted({1, 4, 4})});
    };
    EXPECT_EQ(
        pooled({{"as_ints", {2, 2}}}, {{"as_ints", Json::array()}}).tensor("y").sizes(), at::IntArrayRef({1, 2, 2}));
    EXPECT_EQ(pooled({{"as_ints", {2}}}, {{"as_ints", {2}}}).tensor("y").sizes(), at::IntArrayRef({1, 2, 2}));
}

} // namespace
} // namespace headroom::models::interpreter_test
