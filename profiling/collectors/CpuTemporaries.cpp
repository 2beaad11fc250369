// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CpuTemporaries.h"

#include "core/tensor/Torch.h"
#include "profiling/collectors/OpArguments.h"

#include <set>

namespace headroom::collectors {
namespace {

Bytes meanBytes(const at::Tensor& input)
{
    return at::isReducedFloatingType(input.scalar_type()) ? input.numel() * static_cast<Bytes>(sizeof(float)) : 0;
}

Bytes promotedBytes(const at::Tensor& tensor, c10::ScalarType common)
{
    const bool isCopied = tensor.dim() > 0 && tensor.scalar_type() != common;
    return isCopied ? tensor.numel() * static_cast<Bytes>(c10::elementSize(common)) : 0;
}

Bytes arithmeticBytes(const tensor::OpCall& call)
{
    const auto arguments = argumentsOf(call);
    const at::Tensor& first = arguments[0].toTensor();
    const at::Tensor& second = arguments[1].toTensor();
    const c10::ScalarType common = at::result_type(first, second);
    const bool isInPlace = call.op.schema().name().ends_with('_');
    return promotedBytes(first, common) * (isInPlace ? 2 : 1) + promotedBytes(second, common);
}

Bytes temporaryBytes(const tensor::OpCall& call)
{
    static const std::set<std::string> arithmetic{"add", "sub", "mul", "div"};
    const c10::FunctionSchema& schema = call.op.schema();
    if (schema.name() == "aten::mean")
        return meanBytes(argumentsOf(call)[0].toTensor());
    const bool isArithmetic = schema.overload_name() == "Tensor" && arithmetic.contains(baseName(schema));
    return isArithmetic ? arithmeticBytes(call) : 0;
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
