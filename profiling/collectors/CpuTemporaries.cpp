// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CpuTemporaries.h"

#include "core/tensor/Torch.h"
#include "profiling/collectors/OpArguments.h"

namespace headroom::collectors {
namespace {

Bytes temporaryBytes(const tensor::OpCall& call)
{
    if (call.op.schema().name() != "aten::mean")
        return 0;
    const at::Tensor& input = argumentsOf(call)[0].toTensor();
    return at::isReducedFloatingType(input.scalar_type()) ? input.numel() * static_cast<Bytes>(sizeof(float)) : 0;
}

} // namespace

CpuTemporaries::CpuTemporaries(std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
{
}

void CpuTemporaries::before(const tensor::OpCall& call)
{
    m_temporaryBytes = temporaryBytes(call);
}

// The temporary lives beside the result.
void CpuTemporaries::after(const tensor::OpCall&)
{
    if (m_temporaryBytes > 0)
        m_memory->release(m_memory->allocate(m_temporaryBytes));
}

} // namespace headroom::collectors
