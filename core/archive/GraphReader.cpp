// SPDX-License-Identifier: Apache-2.0
#include "core/archive/GraphReader.h"

#include "core/base/Error.h"

#include <cmath>
#include <functional>
#include <limits>

namespace headroom::archive {
namespace {

constexpr int kDeepestGraph = 16;
constexpr const char* kExport = "what torch.export.save wrote, schema version 8";

[[noreturn]] void refuse(const Json& found, const JsonPlace& where, const std::string& valid)
{
    std::string text = found.is_structured() ? std::string(found.type_name())
                                             : found.dump(-1, ' ', false, Json::error_handler_t::replace);
    throw FileError("found " + text.substr(0, 80), where.text(), valid);
}

std::int64_t integerOf(const Json& json, const JsonPlace& where)
{
    if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX))
        refuse(json, where, "an integer of 64 bits");
    return json.get<std::int64_t>();
}

// Infinities are written as text, as JSON has no number for them.
double realOf(const Json& json, const JsonPlace& where)
{
    if (json.is_number())
        return json.get<double>();
    const std::string text = json.is_string() ? json.get<std::string>() : std::string();
    if (text == "Infinity")
        return std::numeric_limits<double>::infinity();
    if (text == "-Infinity")
        return -std::numeric_limits<double>::infinity();
    if (text == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    refuse(json, where, "a number");
}

std::string textOf(const Json& json, const JsonPlace& where)
{
    if (!json.is_string())
        refuse(json, where, "text");
    return json.get<std::string>();
}

template <typename Read> auto listOf(const Json& json, const JsonPlace& where, const Read& read)
{
    if (!json.is_array())
        refuse(json, where, "a list");
    std::vector<decltype(read(json, where))> list;
    list.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i)
        list.push_back(read(json[i], where.at(i)));
    return list;
}

Size readSize(const Json& json, const JsonPlace& where)
{
    const auto [kind, value] = unionOf(json, where);
    if (kind == "as_int")
        return {integerOf(*value, where)};
    if (kind != "as_expr")
        refuse(json, where, "as_int, as_expr");
    Size size;
    if (const auto hint = value->find("hint"); hint != value->end() && hint->is_object() && hint->contains("as_int"))
        size.example = integerOf(hint->at("as_int"), where.at("hint"));
    size.expression = SizeExpression::parse(textMember(*value, "expr_str", where));
    size.isUnknown = size.expression == nullptr;
    return size;
}

class GraphReader {
public:
    GraphReader(const JsonPlace& where, int depth)
        : m_where(where)
        , m_depth(depth)
    {
        if (depth > kDeepestGraph)
            throw FileError("has graphs within graphs more than 16 deep", m_where.text(), kExport);
    }

    Graph read(const Json& json)
    {
        readValues(json);
        m_graph.inputs = arguments(member(json, "inputs", m_where), m_where.at("inputs"));
        const Json& nodes = member(json, "nodes", m_where);
        m_graph.nodes = listOf(nodes, m_where.at("nodes"),
            [this](const Json& node, const JsonPlace& where) { return readNode(node, where); });
        m_graph.outputs = arguments(member(json, "outputs", m_where), m_where.at("outputs"));
        return std::move(m_graph);
    }

private:
    void readValues(const Json& json)
    {
        const JsonPlace tensors = m_where.at("tensor_values");
        for (const auto& [name, value] : member(json, "tensor_values", m_where).items())
            m_graph.tensors.emplace(name, readTensorInfo(value, tensors.at(name)));
        const JsonPlace sizes = m_where.at("sym_int_values");
        if (const auto numbers = json.find("sym_int_values"); numbers != json.end() && numbers->is_object())
            for (const auto& [name, value] : numbers->items())
                m_graph.numbers.emplace(name, readSize(value, sizes.at(name)));
    }

    std::vector<Argument> arguments(const Json& json, const JsonPlace& where)
    {
        return listOf(
            json, where, [this](const Json& item, const JsonPlace& place) { return readArgument(item, place); });
    }

    Node readNode(const Json& json, const JsonPlace& where)
    {
        Node node;
        node.target = textMember(json, "target", where);
        node.inputs =
            listOf(member(json, "inputs", where), where.at("inputs"), [this](const Json& item, const JsonPlace& place) {
                return NamedArgument{
                    textMember(item, "name", place), readArgument(member(item, "arg", place), place.at("arg"))};
            });
        node.outputs = arguments(member(json, "outputs", where), where.at("outputs"));
        if (const auto name = json.find("name"); name != json.end() && name->is_string())
            node.name = name->get<std::string>();
        else if (!node.outputs.empty())
            node.name = node.outputs.front().name;
        if (const auto metadata = json.find("metadata"); metadata != json.end() && metadata->is_object())
            readMetadata(*metadata, node);
        return node;
    }

    static void readMetadata(const Json& json, Node& node)
    {
        if (const auto stack = json.find("nn_module_stack"); stack != json.end() && stack->is_string())
            node.modules = moduleCalls(stack->get<std::string>());
        if (const auto trace = json.find("stack_trace"); trace != json.end() && trace->is_string())
            node.source = lastLine(trace->get<std::string>());
    }

    // "KEY,PATH,CLASS;KEY,PATH,CLASS". What export inserted itself has no module.
    static std::vector<ModuleCall> moduleCalls(const std::string& text)
    {
        std::vector<ModuleCall> calls;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(';', begin), text.size());
            const std::string entry = text.substr(begin, end - begin);
            const std::size_t first = entry.find(',');
            const std::size_t last = entry.rfind(',');
            if (first != std::string::npos && first != last && !entry.starts_with("_empty_nn_module_stack"))
                calls.push_back(
                    {entry.substr(0, first), entry.substr(first + 1, last - first - 1), entry.substr(last + 1)});
            begin = end + 1;
        }
        return calls;
    }

    // Modules of torch itself call its functions, and code that it made ("<eval_with_key>"): the line that a person
    // wrote is the one that called them.
    static bool isOfTorch(const std::string& path)
    {
        return path.starts_with('<') || path.starts_with("torch/nn/") || path.find("/torch/nn/") != std::string::npos
            || path.find("-packages/torch/") != std::string::npos;
    }

    // "File "/a/b.py", line 12, in forward" as "b.py:12", of the innermost frame that is not torch's.
    static std::string lastLine(const std::string& trace)
    {
        std::string innermost;
        for (std::size_t end = trace.size(); end != std::string::npos;) {
            const std::size_t file = trace.rfind("File \"", end);
            if (file == std::string::npos)
                break;
            const std::size_t quote = trace.find('"', file + 6);
            const std::size_t line = trace.find("line ", quote);
            if (quote != std::string::npos && line != std::string::npos) {
                const std::string path = trace.substr(file + 6, quote - file - 6);
                const std::size_t digits = trace.find_first_not_of("0123456789", line + 5);
                const std::string place =
                    path.substr(path.rfind('/') + 1) + ":" + trace.substr(line + 5, digits - line - 5);
                if (!isOfTorch(path))
                    return place;
                if (innermost.empty() && !path.starts_with('<'))
                    innermost = place;
            }
            end = file == 0 ? std::string::npos : file - 1;
        }
        return innermost;
    }

    Argument readArgument(const Json& json, const JsonPlace& where);
    void readSymbolic(const std::string& kind, const Json& value, const JsonPlace& where, Argument& argument);

    JsonPlace m_where;
    int m_depth;
    Graph m_graph;
};

std::string nameOf(const Json& json, const JsonPlace& where)
{
    return textMember(json, "name", where);
}

std::string optionalName(const Json& json, const JsonPlace& where)
{
    const auto [kind, value] = unionOf(json, where);
    if (kind == "as_none")
        return {};
    if (kind != "as_tensor")
        refuse(json, where, "as_tensor, as_none");
    return nameOf(*value, where);
}

struct Kind {
    const char* name;
    ArgumentKind kind;
    std::function<void(const Json&, const JsonPlace&, Argument&)> read;
};

const std::vector<Kind>& plainKinds()
{
    using enum ArgumentKind;
    const auto integer = [](const Json& v, const JsonPlace& w, Argument& a) { a.integer = integerOf(v, w); };
    const auto text = [](const Json& v, const JsonPlace& w, Argument& a) { a.name = textOf(v, w); };
    const auto flag = [](const Json& v, const JsonPlace& w, Argument& a) {
        if (!v.is_boolean())
            refuse(v, w, "true or false");
        a.integer = v.get<bool>() ? 1 : 0;
    };
    static const std::vector<Kind> kinds{
        {"as_none", None, [](const Json&, const JsonPlace&, Argument&) {}},
        {"as_tensor", Tensor, [](const Json& v, const JsonPlace& w, Argument& a) { a.name = nameOf(v, w); }},
        {"as_tensors", Tensors, [](const Json& v, const JsonPlace& w, Argument& a) { a.names = listOf(v, w, nameOf); }},
        {"as_optional_tensors", OptionalTensors,
            [](const Json& v, const JsonPlace& w, Argument& a) { a.names = listOf(v, w, optionalName); }},
        {"as_int", Int, integer},
        {"as_ints", Ints, [](const Json& v, const JsonPlace& w, Argument& a) { a.integers = listOf(v, w, integerOf); }},
        {"as_float", Float, [](const Json& v, const JsonPlace& w, Argument& a) { a.real = realOf(v, w); }},
        {"as_floats", Floats, [](const Json& v, const JsonPlace& w, Argument& a) { a.reals = listOf(v, w, realOf); }},
        {"as_bool", Bool, flag},
        {"as_bools", Bools,
            [](const Json& v, const JsonPlace& w, Argument& a) {
                a.integers = listOf(v, w, [](const Json& item, const JsonPlace& place) {
                    if (!item.is_boolean())
                        refuse(item, place, "true or false");
                    return std::int64_t{item.get<bool>() ? 1 : 0};
                });
            }},
        {"as_string", Text, text},
        {"as_strings", Texts, [](const Json& v, const JsonPlace& w, Argument& a) { a.names = listOf(v, w, textOf); }},
        {"as_scalar_type", ScalarType, integer},
        {"as_memory_format", MemoryFormat, integer},
        {"as_layout", Layout, integer},
        {"as_device", Device,
            [](const Json& v, const JsonPlace& w, Argument& a) { a.name = textMember(v, "type", w); }},
    };
    return kinds;
}

Argument GraphReader::readArgument(const Json& json, const JsonPlace& where)
{
    const auto [kind, value] = unionOf(json, where);
    Argument argument;
    for (const Kind& plain : plainKinds())
        if (plain.name == kind) {
            argument.kind = plain.kind;
            plain.read(*value, where, argument);
            return argument;
        }
    if (kind == "as_optional_tensor") {
        argument.name = optionalName(*value, where);
        argument.kind = argument.name.empty() ? ArgumentKind::None : ArgumentKind::Tensor;
    } else if (kind == "as_graph") {
        argument.kind = ArgumentKind::Graph;
        if (const auto name = value->find("name"); name != value->end() && name->is_string())
            argument.name = name->get<std::string>();
        argument.graph = m_graph.subgraphs.size();
        m_graph.subgraphs.push_back(GraphReader(where.at("graph"), m_depth + 1).read(member(*value, "graph", where)));
    } else
        readSymbolic(kind, *value, where, argument);
    return argument;
}

void GraphReader::readSymbolic(const std::string& kind, const Json& value, const JsonPlace& where, Argument& argument)
{
    const auto one = [&](ArgumentKind symbolic) {
        const auto [form, inner] = unionOf(value, where);
        argument.kind = symbolic;
        if (form == "as_name")
            argument.name = textOf(*inner, where);
        else if (form == "as_int")
            argument.integer = integerOf(*inner, where);
        else if (form == "as_float")
            argument.real = realOf(*inner, where);
        else if (form == "as_bool" && inner->is_boolean())
            argument.integer = inner->get<bool>() ? 1 : 0;
        else
            refuse(value, where, "as_name, as_int, as_float, as_bool");
    };
    if (kind == "as_sym_int")
        return one(ArgumentKind::SymInt);
    if (kind == "as_sym_float")
        return one(ArgumentKind::SymFloat);
    if (kind == "as_sym_bool")
        return one(ArgumentKind::SymBool);
    if (kind != "as_sym_ints")
        throw FileError("has an argument of the kind \"" + kind.substr(0, 60) + "\", which is not known", where.text(),
            "the kinds of torch.export's schema 8 for tensors, numbers, texts, types and graphs");
    argument.kind = ArgumentKind::SymInts;
    for (const auto& [name, number] : listOf(value, where, [](const Json& item, const JsonPlace& place) {
             const auto [form, inner] = unionOf(item, place);
             if (form == "as_name")
                 return std::pair(textOf(*inner, place), std::int64_t{0});
             if (form != "as_int")
                 refuse(item, place, "as_name, as_int");
             return std::pair(std::string(), integerOf(*inner, place));
         })) {
        argument.names.push_back(name);
        argument.integers.push_back(number);
    }
}

} // namespace

const Json& member(const Json& object, const char* key, const JsonPlace& where)
{
    if (!object.is_object())
        refuse(object, where, "an object");
    const auto found = object.find(key);
    if (found == object.end())
        throw FileError(std::string("has no \"") + key + "\"", where.text(), kExport);
    return *found;
}

std::string textMember(const Json& object, const char* key, const JsonPlace& where)
{
    return textOf(member(object, key, where), where.at(key));
}

std::pair<std::string, const Json*> unionOf(const Json& object, const JsonPlace& where)
{
    if (!object.is_object() || object.size() != 1)
        refuse(object, where, "an object with one key");
    return {object.begin().key(), &object.begin().value()};
}

TensorInfo readTensorInfo(const Json& json, const JsonPlace& where)
{
    TensorInfo info;
    info.scalarType = static_cast<int>(integerOf(member(json, "dtype", where), where.at("dtype")));
    if (scalarTypeName(info.scalarType).empty())
        refuse(member(json, "dtype", where), where.at("dtype"), "a scalar type of torch.export's schema 8");
    info.sizes = listOf(member(json, "sizes", where), where.at("sizes"), readSize);
    if (const auto grad = json.find("requires_grad"); grad != json.end() && grad->is_boolean())
        info.requiresGrad = grad->get<bool>();
    for (const Size& size : info.sizes)
        if (size.example < 0)
            throw FileError("found a size of " + std::to_string(size.example), where.at("sizes").text(), "0 or more");
    return info;
}

Graph readGraph(const Json& graph, const JsonPlace& where)
{
    return GraphReader(where, 0).read(graph);
}

} // namespace headroom::archive
