// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/Interpreter.h"

#include "core/base/Error.h"
#include "core/models/imported/SizeOperations.h"

#include <typeinfo>

namespace headroom::models {
namespace {

using c10::IValue;
using Kind = ProgramArgument::Kind;

// Kinds of their own mean something to who catches them: out of memory, an ended recomputation.
bool isPlain(const c10::Error& error)
{
    return typeid(error) == typeid(c10::Error) || typeid(error) == typeid(c10::NotImplementedError)
        || typeid(error) == typeid(c10::ValueError) || typeid(error) == typeid(c10::IndexError)
        || typeid(error) == typeid(c10::TypeError);
}

} // namespace

void throwPlaced(const c10::Error& error, const archive::Node& node)
{
    if (!isPlain(error))
        throw;
    throw TrialError(node.target + ": " + error.what_without_backtrace(), placeOf(node));
}

void Interpreter::run(const ProgramNode& node)
{
    if (node.kind == ProgramNode::Kind::Operator)
        runOperator(node);
    else if (node.kind == ProgramNode::Kind::Sizes && !node.results.empty())
        store(node.results.front(), sizeOperation(node.source->target, arguments(node)));
    else if (node.kind == ProgramNode::Kind::Same)
        store(node.results.front(), argument(node, 0));
    release(node);
}

void Interpreter::release(const ProgramNode& node)
{
    for (const ValueId released : node.released)
        m_values[static_cast<std::size_t>(released)] = {};
}

const IValue& Interpreter::value(ValueId id) const
{
    const auto place = static_cast<std::size_t>(id);
    return m_own != nullptr && !(*m_own)[place].isNone() ? (*m_own)[place] : m_values[place];
}

IValue Interpreter::argument(const ProgramNode& node, std::size_t index) const
{
    if (m_mode == RunMode::Evaluation && node.trainArgument == index)
        return false;
    if (m_mode == RunMode::Evaluation && node.dropoutArgument == index)
        return 0.0;
    return valueArgument(node.arguments[index]);
}

IValue Interpreter::valueArgument(const ProgramArgument& argument) const
{
    switch (argument.kind) {
    case Kind::Constant:
        return argument.constant;
    case Kind::Value: {
        const IValue& found = value(argument.values.front());
        return argument.wantsTensor && found.isScalar() ? wrappedNumber(found) : found;
    }
    case Kind::Tensors: {
        c10::List<at::Tensor> tensors;
        for (const ValueId id : argument.values)
            tensors.push_back(value(id).toTensor());
        return tensors;
    }
    case Kind::OptionalTensors: {
        c10::List<std::optional<at::Tensor>> tensors;
        for (const ValueId id : argument.values)
            tensors.push_back(id == kNoValue ? std::nullopt : std::optional(value(id).toTensor()));
        return tensors;
    }
    case Kind::Integers:
        break;
    }
    std::vector<std::int64_t> integers;
    for (std::size_t i = 0; i < argument.values.size(); ++i)
        integers.push_back(argument.values[i] == kNoValue ? argument.integers[i] : value(argument.values[i]).toInt());
    return integers;
}

void Interpreter::store(const ProgramResult& result, IValue value)
{
    if (result.isList) {
        const auto tensors = value.toTensorVector();
        for (std::size_t i = 0; i < result.values.size() && i < tensors.size(); ++i)
            set(result.values[i], tensors[i]);
    } else if (!result.values.empty())
        set(result.values.front(), std::move(value));
}

void Interpreter::set(ValueId id, IValue value)
{
    if (id != kNoValue)
        m_values[static_cast<std::size_t>(id)] = std::move(value);
}

std::vector<IValue> Interpreter::arguments(const ProgramNode& node) const
{
    std::vector<IValue> stack;
    stack.reserve(node.arguments.size());
    for (std::size_t i = 0; i < node.arguments.size(); ++i)
        stack.push_back(argument(node, i));
    return stack;
}

void Interpreter::call(const ProgramNode& node, torch::jit::Stack& stack) const
{
    stack = arguments(node);
    if (node.check != nullptr)
        node.check(stack);
    try {
        return node.op->callBoxed(stack);
    } catch (const c10::Error& error) {
        if (!node.copying || !isPlain(error))
            throw;
    }
    stack = arguments(node);
    node.copying->callBoxed(stack);
}

void Interpreter::runOperator(const ProgramNode& node)
{
    torch::jit::Stack stack;
    try {
        call(node, stack);
    } catch (const c10::Error& error) {
        throwPlaced(error, *node.source);
    }
    for (std::size_t i = 0; i < node.results.size() && i < stack.size(); ++i)
        store(node.results[i], std::move(stack[i]));
}

} // namespace headroom::models
