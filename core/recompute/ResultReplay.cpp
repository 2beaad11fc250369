// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/ResultReplay.h"

namespace headroom::tensor {

ResultReplay::ResultReplay(OpSelection& selection, KeptResults& results, KeptResults::Use use, const std::string& where)
    : m_selection(selection)
    , m_results(results)
    , m_use(use)
    , m_where(where)
{
}

std::optional<std::vector<c10::IValue>> ResultReplay::valuesOf(KeptResults::Op op)
{
    if (!m_results.isTracked(op))
        return std::nullopt;
    return m_results.take({op, m_calls[op]++}, m_use, m_where);
}

bool ResultReplay::transform(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    std::optional<std::vector<c10::IValue>> values = valuesOf(&op.schema());
    if (!values) {
        m_selection.ranAgain(op);
        return false;
    }
    torch::jit::drop(stack, op.schema().arguments().size());
    for (c10::IValue& value : *values)
        stack.push_back(std::move(value));
    return true;
}

ResultReplay::Scope::Scope(ResultReplay& replay)
    : m_scope(m_interceptor)
{
    m_interceptor.setTransformer(&replay);
}

} // namespace headroom::tensor
