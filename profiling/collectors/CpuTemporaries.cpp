// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CpuTemporaries.h"

#include "core/tensor/Torch.h"
#include "profiling/collectors/OpArguments.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace headroom::collectors {
namespace {

Bytes sizeOf(c10::ScalarType type)
{
    return static_cast<Bytes>(c10::elementSize(type));
}

bool isMean(const tensor::OpCall& call)
{
    return call.op.schema().name() == "aten::mean";
}

// The number by which the sum is divided has 64 bits and is copied in the sum's type; the input's copy is gone by then.
Bytes meanBytes(std::int64_t inputElements, const at::Tensor& mean)
{
    const bool isInFloat32 = at::isReducedFloatingType(mean.scalar_type());
    const Bytes number = sizeOf(at::kLong) + sizeOf(isInFloat32 ? at::kFloat : mean.scalar_type());
    return isInFloat32 ? std::max(inputElements * sizeOf(at::kFloat), number) + mean.numel() * sizeOf(at::kFloat)
                       : number;
}

Bytes promotedBytes(const at::Tensor& tensor, c10::ScalarType common)
{
    return tensor.scalar_type() != common ? tensor.numel() * sizeOf(common) : 0;
}

// A number that has been made a tensor before the call lies on the host, not on meta.
Bytes wrappedBytes(const at::Tensor& tensor)
{
    return tensor.unsafeGetTensorImpl()->is_wrapped_number() ? static_cast<Bytes>(tensor.nbytes()) : 0;
}

Bytes arithmeticBytes(const tensor::OpCall& call)
{
    const auto arguments = argumentsOf(call);
    const at::Tensor& first = arguments[0].toTensor();
    const at::Tensor& second = arguments[1].toTensor();
    const c10::ScalarType common = at::result_type(first, second);
    const bool isInPlace = call.op.schema().name().ends_with('_');
    return promotedBytes(first, common) * (isInPlace ? 2 : 1) + promotedBytes(second, common) + wrappedBytes(first)
        + wrappedBytes(second);
}

Bytes numberBytes(const at::Tensor& tensor, const at::Scalar& number)
{
    const c10::ScalarType common = at::result_type(tensor, number);
    const c10::ScalarType own = number.type();
    return sizeOf(own) + (own == common ? 0 : sizeOf(common)) + promotedBytes(tensor, common);
}

// The first tensor of a list stands for all of them, which are taken one after the other.
Bytes numberArgumentBytes(at::ArrayRef<c10::IValue> arguments)
{
    const c10::IValue& first = arguments[0];
    if (first.isTensorList() && first.toTensorVector().empty())
        return 0;
    const at::Tensor tensor = first.isTensorList() ? first.toTensorVector().front() : first.toTensor();
    if (arguments[1].isScalar())
        return numberBytes(tensor, arguments[1].toScalar());
    const c10::List<c10::IValue> numbers = arguments[1].toList();
    return numbers.empty() ? 0 : numberBytes(tensor, numbers.get(0).toScalar());
}

bool isIn(std::initializer_list<std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

Bytes temporaryBytes(const tensor::OpCall& call)
{
    const c10::FunctionSchema& schema = call.op.schema();
    const std::string& overload = schema.overload_name();
    const std::string name = baseName(schema);
    const bool isArithmetic = isIn({"add", "sub", "rsub", "mul", "div"}, name);
    if (isArithmetic && overload == "Tensor")
        return arithmeticBytes(call);
    const bool takesNumbers = overload == "Scalar" || overload == "ScalarList" || overload == "Scalar_mode";
    if (takesNumbers && (isArithmetic || isIn({"eq", "ne", "lt", "le", "gt", "ge"}, name)))
        return numberArgumentBytes(argumentsOf(call));
    if (takesNumbers && isIn({"_foreach_add", "_foreach_sub", "_foreach_mul", "_foreach_div"}, name))
        return numberArgumentBytes(argumentsOf(call));
    return 0;
}

} // namespace

CpuTemporaries::CpuTemporaries(std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
{
}

void CpuTemporaries::before(const tensor::OpCall& call)
{
    m_inputElements = isMean(call) ? std::optional(argumentsOf(call)[0].toTensor().numel()) : std::nullopt;
    m_temporaryBytes = m_inputElements ? 0 : temporaryBytes(call);
}

// The temporary lives beside the result.
void CpuTemporaries::after(const tensor::OpCall& call)
{
    if (m_inputElements)
        m_temporaryBytes = meanBytes(*m_inputElements, resultsOf(call)[0].toTensor());
    if (m_temporaryBytes > 0)
        m_memory->release(m_memory->allocate(m_temporaryBytes));
}

} // namespace headroom::collectors
