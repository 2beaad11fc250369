// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

at::ArrayRef<c10::IValue> lastOf(const torch::jit::Stack& stack, std::size_t count)
{
    return at::ArrayRef<c10::IValue>(stack).slice(stack.size() - count);
}

} // namespace

at::ArrayRef<c10::IValue> argumentsOf(const tensor::OpCall& call)
{
    return lastOf(call.stack, call.op.schema().arguments().size());
}

at::ArrayRef<c10::IValue> resultsOf(const tensor::OpCall& call)
{
    return lastOf(call.stack, call.op.schema().returns().size());
}

std::string baseName(const c10::FunctionSchema& schema)
{
    std::string name = schema.name();
    name.erase(0, name.find("::") + 2);
    if (name.size() > 1 && name.back() == '_')
        name.pop_back();
    return name;
}

Bytes bytesPerElement(c10::ScalarType type)
{
    return static_cast<Bytes>(c10::elementSize(type));
}

bool isView(const c10::FunctionSchema& schema)
{
    const auto& returns = schema.returns();
    return !returns.empty() && returns[0].alias_info() != nullptr && !returns[0].alias_info()->isWrite();
}

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
        return simulator::MathType::Float32;
    }
}

} // namespace headroom::collectors
