// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/Interpreter.h"

#include "core/base/Error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <typeinfo>

namespace headroom::models {
namespace {

using c10::IValue;
using Arguments = std::vector<IValue>;

double numberOf(const IValue& value)
{
    if (value.isInt())
        return static_cast<double>(value.toInt());
    return value.isBool() ? (value.toBool() ? 1.0 : 0.0) : value.toDouble();
}

[[noreturn]] void refuseSize(const std::string& why)
{
    throw TrialError(why, "model.archive", "sizes of 64 bits");
}

// Whether the result is beyond 64 bits.
bool add(std::int64_t a, std::int64_t b, std::int64_t* result)
{
    return __builtin_add_overflow(a, b, result);
}

bool subtract(std::int64_t a, std::int64_t b, std::int64_t* result)
{
    return __builtin_sub_overflow(a, b, result);
}

bool multiply(std::int64_t a, std::int64_t b, std::int64_t* result)
{
    return __builtin_mul_overflow(a, b, result);
}

template <bool (*overflows)(std::int64_t, std::int64_t, std::int64_t*)>
std::int64_t checked(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (overflows(a, b, &result))
        refuseSize("a size is beyond 64 bits");
    return result;
}

std::int64_t quotient(std::int64_t dividend, std::int64_t divisor)
{
    if (divisor == 0)
        refuseSize("a size is divided by 0");
    if (divisor == -1) // the one quotient of two integers that may be none
        return checked<subtract>(0, dividend);
    const std::int64_t truncated = dividend / divisor;
    return dividend % divisor != 0 && (dividend < 0) != (divisor < 0) ? truncated - 1 : truncated;
}

// A negative exponent has no whole result: Python's ** gives a float then, as ours of numbers does.
std::int64_t power(std::int64_t base, std::int64_t exponent)
{
    if (base == 0 || base == 1 || base == -1) // which no exponent carries beyond 64 bits
        return exponent == 0 || base == 1 ? 1 : base == 0 ? 0 : exponent % 2 == 0 ? 1 : -1;
    std::int64_t result = 1;
    for (; exponent > 0; --exponent)
        result = checked<multiply>(result, base);
    return result;
}

using OfIntegers = std::int64_t (*)(std::int64_t, std::int64_t);
using OfNumbers = double (*)(double, double);
using OfNumber = IValue (*)(const IValue&);

const std::map<std::string, OfIntegers>& integerOperations()
{
    static const std::map<std::string, OfIntegers> operations{
        {"mul", checked<multiply>},
        {"add", checked<add>},
        {"sub", checked<subtract>},
        {"floordiv", quotient},
        {"mod", [](std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a - quotient(a, b) * b; }},
        {"sym_max", [](std::int64_t a, std::int64_t b) { return std::max(a, b); }},
        {"sym_min", [](std::int64_t a, std::int64_t b) { return std::min(a, b); }},
    };
    return operations;
}

const std::map<std::string, OfNumbers>& numberOperations()
{
    static const std::map<std::string, OfNumbers> operations{{"mul", [](double a, double b) { return a * b; }},
        {"add", [](double a, double b) { return a + b; }}, {"sub", [](double a, double b) { return a - b; }},
        {"truediv", [](double a, double b) { return a / b; }},
        {"pow", [](double a, double b) { return std::pow(a, b); }},
        {"floordiv", [](double a, double b) { return std::floor(a / b); }},
        {"sym_max", [](double a, double b) { return std::max(a, b); }},
        {"sym_min", [](double a, double b) { return std::min(a, b); }}};
    return operations;
}

const std::map<std::string, OfNumbers>& relations()
{
    static const std::map<std::string, OfNumbers> relations{{"eq", [](double a, double b) { return a == b ? 1. : 0.; }},
        {"ne", [](double a, double b) { return a != b ? 1. : 0.; }},
        {"le", [](double a, double b) { return a <= b ? 1. : 0.; }},
        {"ge", [](double a, double b) { return a >= b ? 1. : 0.; }},
        {"lt", [](double a, double b) { return a < b ? 1. : 0.; }},
        {"gt", [](double a, double b) { return a > b ? 1. : 0.; }},
        {"and_", [](double a, double b) { return a != 0 && b != 0 ? 1. : 0.; }},
        {"or_", [](double a, double b) { return a != 0 || b != 0 ? 1. : 0.; }}};
    return relations;
}

IValue wholeNumber(double value)
{
    constexpr double kBeyond = 0x1p63;
    if (!(value >= -kBeyond && value < kBeyond))
        refuseSize("a size is no number of 64 bits");
    return static_cast<std::int64_t>(value);
}

const std::map<std::string, OfNumber>& singleOperations()
{
    static const std::map<std::string, OfNumber> operations{
        {"neg",
            [](const IValue& a) { return a.isInt() ? IValue(checked<subtract>(0, a.toInt())) : IValue(-numberOf(a)); }},
        {"sym_float", [](const IValue& a) { return IValue(numberOf(a)); }},
        {"sym_int", [](const IValue& a) { return wholeNumber(std::trunc(numberOf(a))); }},
        {"trunc", [](const IValue& a) { return wholeNumber(std::trunc(numberOf(a))); }},
        {"floor", [](const IValue& a) { return wholeNumber(std::floor(numberOf(a))); }},
        {"ceil", [](const IValue& a) { return wholeNumber(std::ceil(numberOf(a))); }},
        {"sym_sqrt", [](const IValue& a) { return IValue(std::sqrt(numberOf(a))); }},
        {"_sym_sqrt", [](const IValue& a) { return IValue(std::sqrt(numberOf(a))); }},
        {"sym_not", [](const IValue& a) { return IValue(numberOf(a) == 0); }},
    };
    return operations;
}

using Kind = ProgramArgument::Kind;

// Kinds of their own mean something to who catches them: out of memory, an ended recomputation.
bool isPlain(const c10::Error& error)
{
    return typeid(error) == typeid(c10::Error) || typeid(error) == typeid(c10::NotImplementedError)
        || typeid(error) == typeid(c10::ValueError) || typeid(error) == typeid(c10::IndexError)
        || typeid(error) == typeid(c10::TypeError);
}

} // namespace

IValue sizeOperation(const std::string& target, const Arguments& arguments)
{
    const std::string name = target.substr(target.rfind('.') + 1);
    if (name == "sym_sum" && arguments.size() == 1) {
        std::int64_t total = 0;
        for (const std::int64_t term : arguments[0].toIntVector())
            total = checked<add>(total, term);
        return total;
    }
    if (arguments.size() == 1)
        if (const auto found = singleOperations().find(name); found != singleOperations().end())
            return found->second(arguments[0]);
    if (arguments.size() == 2) {
        const bool areIntegers = arguments[0].isInt() && arguments[1].isInt();
        if (areIntegers && name == "pow" && arguments[1].toInt() >= 0)
            return power(arguments[0].toInt(), arguments[1].toInt());
        if (const auto found = integerOperations().find(name); areIntegers && found != integerOperations().end())
            return found->second(arguments[0].toInt(), arguments[1].toInt());
        const double a = numberOf(arguments[0]);
        const double b = numberOf(arguments[1]);
        if (const auto found = relations().find(name); found != relations().end())
            return found->second(a, b) != 0;
        if (const auto found = numberOperations().find(name); found != numberOperations().end())
            return found->second(a, b);
    }
    throw TrialError("the graph computes sizes by " + target + ", which is not known", "model.archive");
}

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
