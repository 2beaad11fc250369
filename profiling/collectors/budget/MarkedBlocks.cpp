// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/MarkedBlocks.h"

#include "core/tensor/OpInterceptor.h"

namespace headroom::collectors {
namespace {

at::ArrayRef<c10::IValue> endOf(const torch::jit::Stack& stack, std::size_t count)
{
    return at::ArrayRef<c10::IValue>(stack).slice(stack.size() - count, count);
}

Bytes bytesOf(at::ArrayRef<c10::IValue> results)
{
    Bytes bytes = 0;
    for (const c10::IValue& result : results)
        if (result.isTensor() && result.toTensor().defined())
            bytes += static_cast<Bytes>(result.toTensor().nbytes());
    return bytes;
}

/// Notes the calls of one block's forward that checkpointing would keep the results of, where it keeps all it may.
class CallSurvey final : public tensor::OpObserver {
public:
    CallSurvey(std::shared_ptr<techniques::OpRule> rule, Instruments& instruments, std::vector<SavableCall>& calls)
        : m_selection(std::move(rule), {}, std::make_shared<techniques::BlockOpCount>())
        , m_instruments(instruments)
        , m_calls(calls)
    {
        m_calls.clear();
    }

    void before(const tensor::OpCall& call) override
    {
        const auto arguments = endOf(call.stack, call.op.schema().arguments().size());
        m_isSavable = m_selection.choose(call.op, arguments) == tensor::OpSelection::Choice::Keep;
        m_began = now();
    }

    void after(const tensor::OpCall& call) override
    {
        if (m_isSavable)
            m_calls.push_back({bytesOf(endOf(call.stack, call.op.schema().returns().size())), now() - m_began});
    }

private:
    double now()
    {
        m_instruments.synchronise();
        return std::chrono::duration<double>(m_instruments.now()).count();
    }

    techniques::BlockOpSelection m_selection;
    Instruments& m_instruments;
    std::vector<SavableCall>& m_calls;
    bool m_isSavable = false;
    double m_began = 0;
};

} // namespace

MarkedBlocks::MarkedBlocks(StepMarks& marks, std::unique_ptr<models::BlockExecution> inner)
    : m_marks(marks)
    , m_inner(std::move(inner))
{
}

void MarkedBlocks::survey(std::shared_ptr<techniques::OpRule> rule, Instruments& instruments, SavableCalls* calls)
{
    m_rule = std::move(rule);
    m_instruments = &instruments;
    m_calls = calls;
}

std::vector<at::Tensor> MarkedBlocks::run(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    const auto block = static_cast<std::size_t>(index);
    m_marks.forwardBegins(block);
    std::vector<at::Tensor> outputs = runSurveyed(index, forward, inputs);
    m_marks.forwardEnds(block);
    for (const at::Tensor& output : outputs)
        if (output.defined() && output.requires_grad())
            output.register_hook([&marks = m_marks, block](const at::Tensor&) { marks.backwardBegins(block); });
    return outputs;
}

std::vector<at::Tensor> MarkedBlocks::runSurveyed(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    if (m_calls == nullptr)
        return runInner(index, forward, inputs);
    CallSurvey survey(m_rule, *m_instruments, m_calls->at(static_cast<std::size_t>(index)));
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(survey);
    const tensor::OpInterceptor::Scope scope(interceptor);
    return runInner(index, forward, inputs);
}

std::vector<at::Tensor> MarkedBlocks::runInner(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    return m_inner ? m_inner->run(index, forward, inputs) : forward(inputs);
}

} // namespace headroom::collectors
