// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/SizeExpression.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::archive {

/// Kinds of arguments, as in the names of torch.export's schema ("as_tensor", "as_sym_ints").
enum class ArgumentKind {
    None,
    Tensor,
    Tensors,
    OptionalTensors,
    Int,
    Ints,
    Float,
    Floats,
    Bool,
    Bools,
    Text,
    Texts,
    ScalarType,
    MemoryFormat,
    Layout,
    Device,
    SymInt,
    SymFloat,
    SymBool,
    SymInts,
    Graph
};

/// An argument or result of a node: constants, or names of values.
struct Argument {
    ArgumentKind kind = ArgumentKind::None;
    /// Of a value (Tensor; SymInt, SymFloat and SymBool unless constant); a text; a device's type; a graph's name.
    std::string name{};
    std::int64_t integer =
        0; ///< Int, Bool, ScalarType, MemoryFormat, Layout in the schema's numbers; SymInt's constant
    double real = 0; ///< Float; SymFloat's constant
    std::vector<std::string> names{}; ///< of lists; empty text: no tensor, or the constant of a SymInts at that place
    std::vector<std::int64_t> integers{};
    std::vector<double> reals{};
    std::size_t graph = 0; ///< index into Graph::subgraphs
};

struct NamedArgument {
    std::string name; ///< in the operator's schema
    Argument value;
};

/// One call of a module that encloses a node.
struct ModuleCall {
    std::string key; ///< tells calls of one module apart
    std::string path; ///< dotted; empty: the model itself
    std::string type; ///< the class with its Python module

    bool operator==(const ModuleCall&) const = default;
};

/// A stretch of a forward under another mode: torch.no_grad(), torch.autocast(...).
struct ModeRegion {
    enum class Kind { Gradients, Autocast };

    Kind kind = Kind::Gradients;
    std::size_t id = 0; ///< of this stretch among those of the graph
    bool isOn = false;
    int scalarType = 0; ///< of autocast, in the schema's numbers

    bool operator==(const ModeRegion& other) const { return id == other.id; }
};

struct Node {
    std::string target; ///< "torch.ops.aten.linear.default"
    std::string name; ///< of the node; of its value if it has one
    std::vector<NamedArgument> inputs;
    std::vector<Argument> outputs;
    std::vector<ModuleCall> modules; ///< outermost first
    std::vector<ModeRegion> regions{}; ///< outermost first
    std::string source; ///< "modeling_llama.py:312"; empty: not told

    /// The innermost module's path.
    std::string module() const { return modules.empty() ? std::string() : modules.back().path; }
};

/// What the export knew of a tensor.
struct TensorInfo {
    int scalarType = 0; ///< the schema's number
    std::vector<Size> sizes;
    bool requiresGrad = false;

    std::int64_t elements(const SymbolValues& values) const;
};

/// A graph of ATen ops, in the order in which they ran.
struct Graph {
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    std::vector<Node> nodes;
    std::vector<Graph> subgraphs; ///< that nodes choose or repeat (torch.cond, loops)
    std::map<std::string, TensorInfo> tensors; ///< by value
    std::map<std::string, Size> numbers; ///< sizes that are values
};

/// Calls `action(name)` for each value that an argument reads, or a result makes.
template <typename Action> void forEachValue(const Argument& argument, const Action& action)
{
    switch (argument.kind) {
    case ArgumentKind::Tensor:
    case ArgumentKind::SymInt:
    case ArgumentKind::SymFloat:
    case ArgumentKind::SymBool:
        if (!argument.name.empty())
            action(argument.name);
        return;
    case ArgumentKind::Tensors:
    case ArgumentKind::OptionalTensors:
    case ArgumentKind::SymInts:
        for (const std::string& name : argument.names)
            if (!name.empty())
                action(name);
        return;
    default:
        return;
    }
}
/// The names in a list.
std::vector<std::string> valuesOf(const Argument& argument);
/// The node's value if that is one tensor; else empty.
std::string onlyResult(const Node& node);
/// "linear" of "torch.ops.aten.linear.default"; empty for operators that are not ATen's.
std::string atenName(const Node& node);
/// The argument of that name in the operator's schema; null: the export has none.
const Argument* argumentOf(const Node& node, std::string_view name);
/// "nn.Module path (file:line)": where a node comes from, for messages.
std::string placeOf(const Node& node);

/// Name ("bfloat16") and bytes of an element of one of the schema's scalar types; empty and 0 for unknown ones.
std::string scalarTypeName(int scalarType);
std::int64_t scalarTypeBytes(int scalarType);
bool isFloatingScalarType(int scalarType);

} // namespace headroom::archive
