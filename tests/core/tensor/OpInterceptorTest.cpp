// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/OpInterceptor.h"

#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace headroom::tensor {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

using Log = std::vector<std::string>;

class LoggingObserver final : public OpObserver {
public:
    LoggingObserver(std::string name, Log& log)
        : m_name(std::move(name))
        , m_log(log)
    {
    }
    void before(const OpCall& call) override { m_log.push_back(m_name + " before " + call.op.schema().name()); }
    void after(const OpCall& call) override { m_log.push_back(m_name + " after " + call.op.schema().name()); }

private:
    std::string m_name;
    Log& m_log;
};

/// Names of ops in the order in which they end.
class OpNames final : public OpObserver {
public:
    void before(const OpCall&) override { }
    void after(const OpCall& call) override { names.push_back(call.op.schema().name()); }
    Log names;
};

/// Turns every product of elements into a sum.
class SumInsteadOfProduct final : public OpTransformer {
public:
    bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override
    {
        if (op.schema().name() != "aten::mul")
            return false;
        const at::Tensor sum = stack[stack.size() - 2].toTensor() + stack[stack.size() - 1].toTensor();
        torch::jit::drop(stack, 2);
        stack.emplace_back(sum);
        return true;
    }
};

class ThrowingAt final : public OpObserver {
public:
    explicit ThrowingAt(std::string op)
        : m_op(std::move(op))
    {
    }
    void before(const OpCall& call) override
    {
        if (call.op.schema().name() == m_op)
            throw std::domain_error(m_op);
    }
    void after(const OpCall&) override { }

private:
    std::string m_op;
};

struct Training {
    at::Tensor output;
    at::Tensor inputGradient;
    at::Tensor weightGradient;
};

Training train()
{
    at::manual_seed(5);
    at::Tensor input = at::randn({7, 12}, onTestDevice()).requires_grad_();
    at::Tensor weight = at::randn({9, 12}, onTestDevice()).requires_grad_();
    const at::Tensor bias = at::randn({9}, onTestDevice());
    at::Tensor output = at::softmax(at::gelu(at::linear(input, weight, bias)), -1);
    output.square().mean().backward();
    return {output.detach(), input.grad(), weight.grad()};
}

TEST(OpInterceptorTest, observersAreCalledInOrderAndAfterwardsInReverse)
{
    Log log;
    LoggingObserver first("first", log), second("second", log);
    OpInterceptor interceptor;
    interceptor.addObserver(first);
    interceptor.addObserver(second);
    const at::Tensor x = at::ones({2, 2}, onTestDevice());
    {
        const OpInterceptor::Scope scope(interceptor);
        at::mm(x, x);
    }
    EXPECT_THAT(log,
        ElementsAre(
            "first before aten::mm", "second before aten::mm", "second after aten::mm", "first after aten::mm"));
}

TEST(OpInterceptorTest, argumentsAreSeenBeforeAndResultsAfter)
{
    struct Checker final : OpObserver {
        void before(const OpCall& call) override { arguments = call.stack.back().toTensor().sizes().vec(); }
        void after(const OpCall& call) override { results = call.stack.back().toTensor().sizes().vec(); }
        std::vector<std::int64_t> arguments, results;
    } checker;
    OpInterceptor interceptor;
    interceptor.addObserver(checker);
    const at::Tensor left = at::ones({2, 3}, onTestDevice()), right = at::ones({3, 5}, onTestDevice());
    const OpInterceptor::Scope scope(interceptor);
    at::mm(left, right);
    EXPECT_THAT(checker.arguments, ElementsAre(3, 5));
    EXPECT_THAT(checker.results, ElementsAre(2, 5));
}

TEST(OpInterceptorTest, aTransformerRunsAnOpInAnotherWay)
{
    requireValues();
    SumInsteadOfProduct transformer;
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    interceptor.setTransformer(&transformer);
    const at::Tensor three = at::full({1}, 3.0, onTestDevice()), four = at::full({1}, 4.0, onTestDevice());
    at::Tensor product, difference;
    {
        const OpInterceptor::Scope scope(interceptor);
        product = three * four;
        difference = three - four;
    }
    EXPECT_EQ(product.item<double>(), 7.0);
    EXPECT_EQ(difference.item<double>(), -1.0);
    EXPECT_THAT(seen.names, ElementsAre("aten::mul", "aten::sub")) << "what the transformer runs is its own affair";
    EXPECT_EQ((three * four).item<double>(), 12.0);
}

TEST(OpInterceptorTest, anOuterScopeSeesWhatTheInnerOneLeavesAlone)
{
    requireValues();
    SumInsteadOfProduct transformer;
    Log log;
    LoggingObserver outside("outside", log), inside("inside", log);
    OpInterceptor outer, inner;
    outer.addObserver(outside);
    inner.addObserver(inside);
    inner.setTransformer(&transformer);
    const at::Tensor three = at::full({1}, 3.0, onTestDevice()), four = at::full({1}, 4.0, onTestDevice());
    const OpInterceptor::Scope outerScope(outer);
    {
        const OpInterceptor::Scope innerScope(inner);
        EXPECT_EQ((three * four).item<double>(), 7.0);
        log.clear();
        at::mul(three, four);
        at::sub(three, four);
    }
    EXPECT_THAT(log,
        ElementsAre("inside before aten::mul", "inside after aten::mul", "inside before aten::sub",
            "outside before aten::sub", "outside after aten::sub", "inside after aten::sub"));
    log.clear();
    at::mul(three, four);
    EXPECT_THAT(log, ElementsAre("outside before aten::mul", "outside after aten::mul"));
}

TEST(OpInterceptorTest, anOuterTransformerIsAskedAfterTheInnerOne)
{
    requireValues();
    struct Negating final : OpTransformer {
        bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override
        {
            if (op.schema().name() != "aten::mul" && op.schema().name() != "aten::sub")
                return false;
            torch::jit::drop(stack, op.schema().arguments().size());
            stack.emplace_back(at::full({1}, -1.0, onTestDevice()));
            return true;
        }
    } negating;
    SumInsteadOfProduct summing;
    OpInterceptor outer, inner;
    outer.setTransformer(&negating);
    inner.setTransformer(&summing);
    const at::Tensor three = at::full({1}, 3.0, onTestDevice()), four = at::full({1}, 4.0, onTestDevice());
    at::Tensor product, difference;
    {
        const OpInterceptor::Scope outerScope(outer);
        const OpInterceptor::Scope innerScope(inner);
        product = three * four;
        difference = three - four;
    }
    EXPECT_EQ(product.item<double>(), 7.0);
    EXPECT_EQ(difference.item<double>(), -1.0);
}

TEST(OpInterceptorTest, aTransformedOpStaysDifferentiable)
{
    requireValues();
    SumInsteadOfProduct transformer;
    OpInterceptor interceptor;
    interceptor.setTransformer(&transformer);
    at::Tensor x = at::full({1}, 3.0, onTestDevice()).requires_grad_();
    const at::Tensor y = at::full({1}, 4.0, onTestDevice());
    const OpInterceptor::Scope scope(interceptor);
    const at::Tensor product = x * y;
    EXPECT_TRUE(product.requires_grad());
    EXPECT_EQ(product.item<double>(), 7.0);
}

TEST(OpInterceptorTest, opsOfTheBackwardPassAreSeen)
{
    requireObservableBackward();
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const OpInterceptor::Scope scope(interceptor);
    train();
    for (const char* name : {"aten::addmm", "aten::gelu", "aten::_softmax", "aten::gelu_backward",
             "aten::_softmax_backward_data", "aten::mm"})
        EXPECT_THAT(seen.names, Contains(name));
    EXPECT_THAT(seen.names, Not(Contains("aten::linear"))) << "composites are seen as what they are made of";
}

TEST(OpInterceptorTest, opsThatAKernelCallsInsideAreNotSeen)
{
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const at::Tensor x = at::ones({4, 4}, onTestDevice());
    const OpInterceptor::Scope scope(interceptor);
    at::mm(x, x);
    EXPECT_THAT(seen.names, ElementsAre("aten::mm"));
}

TEST(OpInterceptorTest, nothingIsSeenOutsideOfAScopeOrOnAnotherThread)
{
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const at::Tensor x = at::ones({4, 4}, onTestDevice());
    at::mm(x, x);
    {
        const OpInterceptor::Scope scope(interceptor);
        std::thread([&] { at::mm(x, x); }).join();
    }
    at::mm(x, x);
    EXPECT_THAT(seen.names, IsEmpty());
}

TEST(OpInterceptorTest, anObserversExceptionReachesTheCallerOfTheOp)
{
    ThrowingAt thrower("aten::mm");
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(thrower);
    interceptor.addObserver(seen);
    const at::Tensor x = at::ones({4, 4}, onTestDevice());
    const OpInterceptor::Scope scope(interceptor);
    EXPECT_THROW(at::mm(x, x), std::domain_error);
    EXPECT_THAT(seen.names, IsEmpty()) << "the op did not run";
    at::add(x, x);
    EXPECT_THAT(seen.names, ElementsAre("aten::add")) << "interception goes on";
}

TEST(OpInterceptorTest, anExceptionInTheBackwardPassReachesItsCallerWithItsType)
{
    requireObservableBackward();
    ThrowingAt thrower("aten::gelu_backward");
    OpInterceptor interceptor;
    interceptor.addObserver(thrower);
    const OpInterceptor::Scope scope(interceptor);
    EXPECT_THROW(train(), std::domain_error);
}

TEST(OpInterceptorTest, anErrorOfTheOpItselfPasses)
{
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const OpInterceptor::Scope scope(interceptor);
    EXPECT_THROW(at::mm(at::ones({2, 3}, onTestDevice()), at::ones({2, 3}, onTestDevice())), c10::Error);
    EXPECT_THAT(seen.names, Not(Contains("aten::mm")));
}

TEST(OpInterceptorTest, resultsAndGradientsAreBitEqualWithAndWithout)
{
    const Training plain = train();
    OpNames seen;
    OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const OpInterceptor::Scope scope(interceptor);
    const Training intercepted = train();
    EXPECT_TRUE(sameNumbers(intercepted.output, plain.output));
    EXPECT_TRUE(sameNumbers(intercepted.inputGradient, plain.inputGradient));
    EXPECT_TRUE(sameNumbers(intercepted.weightGradient, plain.weightGradient));
}

TEST(OpInterceptorTest, aTransformerMayBeTakenOutAgain)
{
    requireValues();
    SumInsteadOfProduct transformer;
    OpInterceptor interceptor;
    interceptor.setTransformer(&transformer);
    interceptor.setTransformer(nullptr);
    const OpInterceptor::Scope scope(interceptor);
    EXPECT_EQ((at::full({1}, 3.0, onTestDevice()) * at::full({1}, 4.0, onTestDevice())).item<double>(), 12.0);
}

} // namespace
} // namespace headroom::tensor
