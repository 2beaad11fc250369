// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/OpCostCollector.h"

#include "profiling/collectors/OpArguments.h"

namespace headroom::collectors {
namespace {

simulator::MathType mathTypeOf(c10::ScalarType type)
{
    switch (type) {
    case c10::ScalarType::Double:
        return simulator::MathType::Float64;
    case c10::ScalarType::Half:
        return simulator::MathType::Float16;
    case c10::ScalarType::BFloat16:
        return simulator::MathType::Bfloat16;
    case c10::ScalarType::Float8_e4m3fn:
    case c10::ScalarType::Float8_e5m2:
        return simulator::MathType::Float8;
    default:
        // TF32 is off unless a program turns it on.
        return simulator::MathType::Float32;
    }
}

// Bytes that are really there: a dimension of stride 0 repeats one element.
Bytes storedBytes(const at::Tensor& tensor)
{
    std::int64_t elements = 1;
    for (std::int64_t dimension = 0; dimension < tensor.dim(); ++dimension)
        if (tensor.stride(dimension) != 0 || tensor.size(dimension) == 0)
            elements *= tensor.size(dimension);
    return elements * static_cast<Bytes>(tensor.element_size());
}

Bytes storedBytes(at::ArrayRef<c10::IValue> values)
{
    Bytes bytes = 0;
    forEachTensor(values, [&](const at::Tensor& tensor) { bytes += storedBytes(tensor); });
    return bytes;
}

// 2 m n k, times the batch for three-dimensional factors.
double productFlops(const at::Tensor& left, const at::Tensor& right)
{
    return 2.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(-1));
}

bool isView(const c10::FunctionSchema& schema)
{
    const auto& returns = schema.returns();
    return !returns.empty() && returns[0].alias_info() != nullptr && !returns[0].alias_info()->isWrite();
}

} // namespace

OpCostCollector::OpCostCollector(Sink sink)
    : m_sink(std::move(sink))
{
}

OpCostCollector::OpKind OpCostCollector::kindOf(const c10::OperatorHandle& op)
{
    const c10::FunctionSchema* schema = &op.schema();
    const auto it = m_kinds.find(schema);
    return it != m_kinds.end() ? it->second : m_kinds.emplace(schema, classify(*schema)).first->second;
}

OpCostCollector::OpKind OpCostCollector::classify(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    if (isView(schema) || name == "empty" || name == "empty_strided" || name == "empty_like" || name == "detach")
        return OpKind::Free;
    if (name == "mm")
        return OpKind::MatrixProduct;
    if (name == "bmm")
        return OpKind::BatchedProduct;
    if (name == "addmm")
        return OpKind::BiasedProduct;
    return name == "baddbmm" ? OpKind::BiasedBatchedProduct : OpKind::Compute;
}

void OpCostCollector::before(const tensor::OpCall& call)
{
    m_kind = kindOf(call.op);
    if (m_kind == OpKind::Free)
        return;
    const auto arguments = argumentsOf(call);
    m_cost = {};
    m_cost.bytesRead = storedBytes(arguments);
    if (m_kind == OpKind::MatrixProduct || m_kind == OpKind::BatchedProduct)
        m_cost.flops = productFlops(arguments[0].toTensor(), arguments[1].toTensor());
    else if (m_kind != OpKind::Compute)
        m_cost.flops = productFlops(arguments[1].toTensor(), arguments[2].toTensor());
}

void OpCostCollector::after(const tensor::OpCall& call)
{
    if (m_kind == OpKind::Free)
        return;
    const auto results = resultsOf(call);
    m_cost.bytesWritten = storedBytes(results);
    forEachTensor(results, [&](const at::Tensor& tensor) { m_cost.type = mathTypeOf(tensor.scalar_type()); });
    m_sink(m_cost);
}

} // namespace headroom::collectors
