// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SoftmaxBuffers.h"

#include "core/memory/MemoryScopes.h"
#include "profiling/collectors/simulated/HeldBytes.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
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

void SoftmaxBuffers::after(const tensor::OpCall& call)
{
    if (std::ranges::find(m_ops, &call.op.schema()) == m_ops.end())
        return;
    const auto arguments = argumentsOf(call);
    const at::Tensor& gradient = arguments[0].toTensor();
    const at::Tensor& output = arguments[1].toTensor();
    if (!gradient.is_meta() || gradient.numel() == 0)
        return;
    const tensor::MemoryScope scope(config::MemoryCategory::Workspaces);
    const auto bytes = static_cast<Bytes>(gradient.nbytes());
    const HeldBytes product(m_memory, bytes);
    std::optional<HeldBytes> denseProduct, denseOutput;
    if (!gradient.is_contiguous()) // the product lies as the gradient does
        denseProduct.emplace(m_memory, bytes);
    if (!output.is_contiguous())
        denseOutput.emplace(m_memory, static_cast<Bytes>(output.nbytes()));
}

} // namespace headroom::collectors
