// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/GraphProgram.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/imported/KnownOperators.h"
#include "core/models/imported/ArgumentChecks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace headroom::models {
namespace {

using archive::Argument;
using archive::ArgumentKind;
using Kind = ProgramArgument::Kind;

c10::MemoryFormat memoryFormatOf(std::int64_t schemaNumber)
{
    switch (schemaNumber) {
    case 1:
        return c10::MemoryFormat::Contiguous;
    case 2:
        return c10::MemoryFormat::ChannelsLast;
    case 3:
        return c10::MemoryFormat::ChannelsLast3d;
    case 4:
        return c10::MemoryFormat::Preserve;
    default:
        throw TrialError("has the memory format " + std::to_string(schemaNumber), "model.archive", "1 to 4");
    }
}

bool isAtSamePlace(const archive::Node& left, const archive::Node& right)
{
    return std::ranges::equal(left.modules, right.modules, {}, &archive::ModuleCall::key, &archive::ModuleCall::key)
        && left.regions == right.regions;
}

c10::TypePtr withoutOptional(const c10::TypePtr& type)
{
    const auto optional = type->cast<c10::OptionalType>();
    return optional ? optional->getElementType() : type;
}

bool isConstant(const ProgramArgument& argument, std::int64_t wanted)
{
    const c10::IValue& constant = argument.constant;
    return argument.kind == Kind::Constant && constant.isInt() && constant.toInt() == wanted;
}

bool isAbsent(const ProgramArgument& argument)
{
    return argument.kind == Kind::Constant && argument.constant.isNone();
}

// Of x[:, 0] an export with free sizes slices the dimension that is taken as a whole. Eager Python does not, and its
// backward pass has no gradient of such a slice.
bool takesAll(const ProgramNode& node)
{
    if (node.op->schema().name() != "aten::slice" || node.arguments.size() != 5)
        return false;
    const auto& arguments = node.arguments; // of the schema: self, dim, start, end, step
    return (isAbsent(arguments[2]) || isConstant(arguments[2], 0))
        && (isAbsent(arguments[3]) || isConstant(arguments[3], std::numeric_limits<std::int64_t>::max()))
        && isConstant(arguments[4], 1);
}

class Compiler {
public:
    Compiler(const archive::Graph& graph, c10::Device device)
        : m_graph(graph)
        , m_device(device)
        , m_program(std::make_unique<GraphProgram>())
    {
    }

    std::unique_ptr<GraphProgram> compile()
    {
        for (const Argument& input : m_graph.inputs)
            m_program->inputs.push_back(input.name.empty() ? kNoValue : id(input.name));
        const archive::Node* before = nullptr;
        for (const archive::Node& node : m_graph.nodes) {
            m_program->nodes.push_back(compiled(node));
            m_program->nodes.back().isElsewhere = before == nullptr || !isAtSamePlace(*before, node);
            before = &node;
        }
        requireOperators();
        for (const Argument& output : m_graph.outputs)
            for (const ValueId value : result(output).values)
                m_program->outputs.push_back(value);
        return std::move(m_program);
    }

private:
    ValueId id(const std::string& name)
    {
        const auto [place, isNew] = m_program->ids.emplace(name, static_cast<ValueId>(m_program->names.size()));
        if (isNew)
            m_program->names.push_back(name);
        return place->second;
    }

    ProgramNode compiled(const archive::Node& source)
    {
        ProgramNode node;
        node.source = &source;
        for (const Argument& output : source.outputs)
            node.results.push_back(result(output));
        constexpr std::string_view kOps = "torch.ops.";
        if (!source.target.starts_with(kOps))
            node.kind = ProgramNode::Kind::Sizes;
        if (node.kind == ProgramNode::Kind::Operator)
            resolve(node, source.target.substr(kOps.size()));
        else
            for (const archive::NamedArgument& argument : source.inputs)
                node.arguments.push_back(this->argument(argument.value));
        return node;
    }

    // "aten.linear.default"
    void resolve(ProgramNode& node, const std::string& target)
    {
        if (!config::isKnownOperator(node.source->target)) { // others are not even looked up
            m_unknown.insert(target + " in " + placeOf(*node.source));
            return;
        }
        const std::size_t first = target.find('.');
        const std::size_t last = target.rfind('.');
        const std::string overload = target.substr(last + 1);
        if (first != last && first != std::string::npos)
            node.op = c10::Dispatcher::singleton().findSchema(
                {target.substr(0, first) + "::" + target.substr(first + 1, last - first - 1),
                    overload == "default" ? "" : overload});
        if (!node.op) {
            m_missing.insert(target + " in " + placeOf(*node.source));
            return;
        }
        if (node.op->schema().name() == "aten::_assert_tensor_metadata") { // of the device on which it was exported
            node.kind = ProgramNode::Kind::Nothing;
            return;
        }
        // PyTorch records no contiguous() where it has nothing to do. It has where another kernel of attention runs.
        if (node.op->schema().name() == "aten::view" && overload == "default")
            node.copying = c10::Dispatcher::singleton().findSchema({"aten::reshape", ""});
        for (const c10::Argument& wanted : node.op->schema().arguments())
            node.arguments.push_back(fitting(wanted, *node.source));
        noteModes(node);
        node.check = argumentCheckOf(node.op->schema());
        if (takesAll(node))
            node.kind = ProgramNode::Kind::Same;
    }

    static void noteModes(ProgramNode& node)
    {
        const auto& wanted = node.op->schema().arguments();
        const std::string& name = node.op->schema().name();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const bool isBool = wanted[i].type()->kind() == c10::TypeKind::BoolType;
            if (isBool && (wanted[i].name() == "train" || wanted[i].name() == "training")) // dropout, batch norm, LSTM
                node.trainArgument = i;
            if (name == "aten::scaled_dot_product_attention" && wanted[i].name() == "dropout_p")
                node.dropoutArgument = i;
        }
    }

    ProgramArgument fitting(const c10::Argument& wanted, const archive::Node& source)
    {
        const auto given = std::ranges::find(source.inputs, wanted.name(), &archive::NamedArgument::name);
        if (given != source.inputs.end()) {
            ProgramArgument found = converted(argument(given->value), *withoutOptional(wanted.type()));
            requireWholeList(found, wanted, source);
            return found;
        }
        ProgramArgument absent;
        if (wanted.default_value())
            absent.constant = *wanted.default_value();
        else if (wanted.type()->kind() != c10::TypeKind::OptionalType)
            throw TrialError(source.target + " has no argument \"" + wanted.name() + "\"", placeOf(source));
        return absent;
    }

    // The schema's type decides what a list is one of, and where numbers stand for tensors.
    static ProgramArgument converted(ProgramArgument argument, const c10::Type& type)
    {
        c10::IValue& constant = argument.constant;
        if (type.kind() == c10::TypeKind::FloatType && argument.kind == Kind::Constant && constant.isInt())
            constant = static_cast<double>(constant.toInt());
        if (type.kind() == c10::TypeKind::TensorType) {
            argument.wantsTensor = true;
            if (argument.kind == Kind::Constant && constant.isScalar())
                constant = wrappedNumber(constant);
        }
        if (const auto* list = type.castRaw<c10::ListType>())
            convertList(argument, *list->getElementType());
        return argument;
    }

    static void convertList(ProgramArgument& argument, const c10::Type& element)
    {
        if (argument.kind == Kind::Tensors && element.kind() == c10::TypeKind::OptionalType)
            argument.kind = Kind::OptionalTensors;
        const c10::IValue& constant = argument.constant;
        if (argument.kind != Kind::Constant || !constant.isIntList())
            return;
        if (element.kind() == c10::TypeKind::FloatType) {
            const auto integers = constant.toIntVector();
            argument.constant = std::vector<double>(integers.begin(), integers.end());
        } else if (element.kind() == c10::TypeKind::BoolType && constant.toIntVector().empty())
            argument.constant = c10::List<bool>();
        else if (element.kind() == c10::TypeKind::TensorType && constant.toIntVector().empty())
            argument.kind = Kind::Tensors;
    }

    ProgramArgument argument(const Argument& source)
    {
        ProgramArgument result;
        switch (source.kind) {
        case ArgumentKind::None:
            break;
        case ArgumentKind::Tensor:
            value(source.name, result);
            break;
        case ArgumentKind::Tensors:
            list(Kind::Tensors, source, result);
            break;
        case ArgumentKind::OptionalTensors:
            list(Kind::OptionalTensors, source, result);
            break;
        case ArgumentKind::SymInts:
            list(Kind::Integers, source, result);
            result.integers = source.integers;
            break;
        case ArgumentKind::SymInt:
        case ArgumentKind::SymFloat:
        case ArgumentKind::SymBool:
            symbol(source, result);
            break;
        default:
            result.constant = constantOf(source);
        }
        return result;
    }

    void value(const std::string& name, ProgramArgument& result)
    {
        result.kind = Kind::Value;
        result.values = {id(name)};
    }

    void list(Kind kind, const Argument& source, ProgramArgument& result)
    {
        result.kind = kind;
        for (const std::string& name : source.names)
            result.values.push_back(name.empty() ? kNoValue : id(name));
    }

    void symbol(const Argument& source, ProgramArgument& result)
    {
        if (!source.name.empty())
            return value(source.name, result);
        if (source.kind == ArgumentKind::SymFloat)
            result.constant = source.real;
        else if (source.kind == ArgumentKind::SymBool)
            result.constant = source.integer != 0;
        else
            result.constant = source.integer;
    }

    c10::IValue constantOf(const Argument& source) const
    {
        switch (source.kind) {
        case ArgumentKind::Int:
            return source.integer;
        case ArgumentKind::Ints:
            return source.integers;
        case ArgumentKind::Float:
            return source.real;
        case ArgumentKind::Floats:
            return source.reals;
        case ArgumentKind::Bool:
            return source.integer != 0;
        case ArgumentKind::Bools: {
            c10::List<bool> flags;
            for (const std::int64_t flag : source.integers)
                flags.push_back(flag != 0);
            return flags;
        }
        case ArgumentKind::Text:
            return source.name;
        case ArgumentKind::Texts:
            return source.names;
        case ArgumentKind::ScalarType:
            return static_cast<std::int64_t>(scalarTypeOf(static_cast<int>(source.integer)));
        case ArgumentKind::MemoryFormat:
            return static_cast<std::int64_t>(memoryFormatOf(source.integer));
        case ArgumentKind::Layout:
            if (source.integer != 7)
                throw TrialError("has the layout " + std::to_string(source.integer), "model.archive", "7 (strided)");
            return static_cast<std::int64_t>(c10::kStrided);
        case ArgumentKind::Device:
            return m_device;
        default:
            return {};
        }
    }

    void requireOperators() const
    {
        if (!m_unknown.empty())
            throw TrialError("has operators that no archive may run: " + joined({m_unknown.begin(), m_unknown.end()}),
                "model.archive", "operators of LibTorch that are known to compute on their tensors alone");
        if (m_missing.empty())
            return;
        throw TrialError("has operators that LibTorch does not have: " + joined({m_missing.begin(), m_missing.end()}),
            "model.archive", "a model of this LibTorch's own operators");
    }

    ProgramResult result(const Argument& output)
    {
        ProgramResult result;
        result.isList = output.kind == ArgumentKind::Tensors;
        if (output.kind == ArgumentKind::Tensors || output.kind == ArgumentKind::OptionalTensors) {
            for (const std::string& name : output.names)
                result.values.push_back(name.empty() ? kNoValue : id(name));
            return result;
        }
        const auto values = archive::valuesOf(output);
        result.values.push_back(values.empty() ? kNoValue : id(values.front()));
        return result;
    }

    const archive::Graph& m_graph;
    c10::Device m_device;
    std::unique_ptr<GraphProgram> m_program;
    std::set<std::string> m_unknown; ///< operators with their places
    std::set<std::string> m_missing; ///< known ones that this LibTorch lacks, with their places
};

// Not from LibTorch's allocator.
template <typename Number> at::Tensor borrowing(Number number)
{
    const auto memory = std::make_shared<Number>(number);
    return at::from_blob(memory.get(), {}, [memory](void*) { }, c10::CppTypeToScalarType<Number>::value);
}

} // namespace

ValueId GraphProgram::idOf(const std::string& name) const
{
    const auto found = ids.find(name);
    return found == ids.end() ? kNoValue : found->second;
}

std::unique_ptr<GraphProgram> compileGraph(const archive::Graph& graph, c10::Device device)
{
    return Compiler(graph, device).compile();
}

c10::IValue wrappedNumber(const c10::IValue& number)
{
    const at::Scalar scalar = number.toScalar();
    at::Tensor tensor = number.isInt() ? borrowing(scalar.toLong())
        : number.isBool()              ? borrowing(scalar.toBool())
                                       : borrowing(scalar.toDouble());
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

at::ScalarType scalarTypeOf(int schemaNumber)
{
    const std::string name = archive::scalarTypeName(schemaNumber);
    using enum at::ScalarType;
    static const std::map<std::string, at::ScalarType> kTypes{{"uint8", Byte}, {"int8", Char}, {"int16", Short},
        {"int32", Int}, {"int64", Long}, {"float16", Half}, {"float32", Float}, {"float64", Double},
        {"complex32", ComplexHalf}, {"complex64", ComplexFloat}, {"complex128", ComplexDouble}, {"bool", Bool},
        {"bfloat16", BFloat16}, {"uint16", UInt16}, {"float8_e4m3fn", Float8_e4m3fn}, {"float8_e5m2", Float8_e5m2},
        {"float8_e4m3fnuz", Float8_e4m3fnuz}, {"float8_e5m2fnuz", Float8_e5m2fnuz}};
    const auto found = kTypes.find(name);
    if (found == kTypes.end())
        throw TrialError("has the scalar type " + std::to_string(schemaNumber), "model.archive");
    return found->second;
}

} // namespace headroom::models
