// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/CpuTemporaries.h"

#include "core/tensor/Torch.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace headroom::collectors {
namespace {

using TemporariesKind = CpuTemporaries::Kind;

// The divisor of the sum has 64 bits and is copied in the sum's type; the input's copy is freed by then.
Bytes meanBytes(std::int64_t inputElements, const at::Tensor& mean)
{
    const bool isInFloat32 = at::isReducedFloatingType(mean.scalar_type());
    const Bytes number = bytesPerElement(at::kLong) + bytesPerElement(isInFloat32 ? at::kFloat : mean.scalar_type());
    return isInFloat32
        ? std::max(inputElements * bytesPerElement(at::kFloat), number) + mean.numel() * bytesPerElement(at::kFloat)
        : number;
}

Bytes promotedBytes(const at::Tensor& tensor, c10::ScalarType common)
{
    return tensor.scalar_type() != common ? tensor.numel() * bytesPerElement(common) : 0;
}

// A number that was converted to a tensor before the call is on the host, not on meta.
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
    return bytesPerElement(own) + (own == common ? 0 : bytesPerElement(common)) + promotedBytes(tensor, common);
}

// The first tensor of a list represents all of them, as they are processed one after the other.
Bytes numberArgumentBytes(at::ArrayRef<c10::IValue> arguments)
{
    const c10::IValue& first = arguments[0];
    const std::vector<at::Tensor> tensors =
        first.isTensorList() ? first.toTensorVector() : std::vector<at::Tensor>{first.toTensor()};
    if (tensors.empty())
        return 0;
    if (arguments[1].isScalar())
        return numberBytes(tensors.front(), arguments[1].toScalar());
    const c10::List<c10::IValue> numbers = arguments[1].toList();
    return numbers.empty() ? 0 : numberBytes(tensors.front(), numbers.get(0).toScalar());
}

bool isIn(std::initializer_list<std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

std::optional<TemporariesKind> temporariesOf(const c10::FunctionSchema& schema)
{
    if (schema.name() == "aten::mean")
        return TemporariesKind::Mean;
    const std::string& overload = schema.overload_name();
    const std::string name = baseName(schema);
    const bool isArithmetic = isIn({"add", "sub", "rsub", "mul", "div"}, name);
    if (isArithmetic && overload == "Tensor")
        return TemporariesKind::Arithmetic;
    const bool takesNumbers = overload == "Scalar" || overload == "ScalarList" || overload == "Scalar_mode";
    const bool copiesNumbers = isArithmetic || isIn({"eq", "ne", "lt", "le", "gt", "ge"}, name)
        || isIn({"_foreach_add", "_foreach_sub", "_foreach_mul", "_foreach_div"}, name);
    return takesNumbers && copiesNumbers ? std::optional(TemporariesKind::Number) : std::nullopt;
}

} // namespace

CpuTemporaries::CpuTemporaries(std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
{
}

std::optional<TemporariesKind> CpuTemporaries::kindOf(const c10::OperatorHandle& op)
{
    const auto known = m_kinds.find(&op.schema());
    return known != m_kinds.end() ? known->second
                                  : m_kinds.emplace(&op.schema(), temporariesOf(op.schema())).first->second;
}

void CpuTemporaries::before(const tensor::OpCall& call)
{
    const std::optional<TemporariesKind> kind = kindOf(call.op);
    m_inputElements.reset();
    m_temporaryBytes = 0;
    if (kind == TemporariesKind::Mean)
        m_inputElements = argumentsOf(call)[0].toTensor().numel();
    else if (kind == TemporariesKind::Arithmetic)
        m_temporaryBytes = arithmeticBytes(call);
    else if (kind == TemporariesKind::Number)
        m_temporaryBytes = numberArgumentBytes(argumentsOf(call));
}

// The temporary is live together with the result.
void CpuTemporaries::after(const tensor::OpCall& call)
{
    if (m_inputElements)
        m_temporaryBytes = meanBytes(*m_inputElements, resultsOf(call)[0].toTensor());
    if (m_temporaryBytes > 0)
        m_memory->release(m_memory->allocate(m_temporaryBytes));
}

} // namespace headroom::collectors
