// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SoftmaxBuffers.h"

#include "core/memory/MemoryScopes.h"
#include "profiling/collectors/simulated/HeldBytes.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace headroom::collectors {
namespace {

const c10::FunctionSchema* schemaOf(const char* op)
{
    return &c10::Dispatcher::singleton().findSchemaOrThrow(op, "").schema();
}

} // namespace

SoftmaxBuffers::SoftmaxBuffers(std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
    , m_ops{schemaOf("aten::_softmax_backward_data"), schemaOf("aten::_masked_softmax_backward")}
{
}

// The product lies as the gradient does.
void SoftmaxBuffers::before(const tensor::OpCall& call)
{
    m_sizes.clear();
    if (std::ranges::find(m_ops, &call.op.schema()) == m_ops.end())
        return;
    const auto arguments = argumentsOf(call);
    const at::Tensor& gradient = arguments[0].toTensor();
    const at::Tensor& output = arguments[1].toTensor();
    if (!gradient.is_meta() || gradient.numel() == 0)
        return;
    const auto product = static_cast<Bytes>(gradient.nbytes());
    m_sizes.push_back(product);
    if (!gradient.is_contiguous())
        m_sizes.push_back(product);
    if (!output.is_contiguous())
        m_sizes.push_back(static_cast<Bytes>(output.nbytes()));
}

void SoftmaxBuffers::after(const tensor::OpCall&)
{
    if (m_sizes.empty())
        return;
    const std::vector<Bytes> sizes = std::exchange(m_sizes, {});
    const tensor::MemoryScope scope(config::MemoryCategory::Workspaces);
    std::deque<HeldBytes> held;
    for (const Bytes bytes : sizes)
        held.emplace_back(m_memory, bytes);
}

} // namespace headroom::collectors
