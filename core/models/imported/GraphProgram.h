// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/tensor/Torch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::models {

/// Index of a value among those of its graph; -1: none.
using ValueId = std::int32_t;
inline constexpr ValueId kNoValue = -1;

/// Throws c10::ValueError for arguments that LibTorch's kernel takes as they are and reads or writes elsewhere by;
/// null: LibTorch checks them.
using ArgumentCheck = void (*)(const torch::jit::Stack&);

/// An argument as the interpreter takes it.
struct ProgramArgument {
    enum class Kind { Constant, Value, Tensors, OptionalTensors, Integers };

    Kind kind = Kind::Constant;
    c10::IValue constant{};
    std::vector<ValueId> values{}; ///< one for Value; in Integers kNoValue for constants
    std::vector<std::int64_t> integers{}; ///< of Integers
    bool wantsTensor = false; ///< a number in its place becomes a tensor that takes no part in type promotion
};

/// Where results go: one value each, or the elements of a list.
struct ProgramResult {
    std::vector<ValueId> values;
    bool isList = false;
};

struct ProgramNode {
    enum class Kind { Operator, Sizes, Nothing, Same }; ///< Same: its result is its first argument

    Kind kind = Kind::Operator;
    const archive::Node* source = nullptr; ///< of the archive
    bool isElsewhere = true; ///< in other module calls or modes than the node before it
    std::optional<c10::OperatorHandle> op;
    std::optional<c10::OperatorHandle> copying; ///< of a view: what copies where the tensor lies otherwise
    std::vector<ProgramArgument> arguments; ///< of an operator: in the order of its schema, defaults filled in
    std::vector<ProgramResult> results;
    std::vector<ValueId> released; ///< values that are let go once the node has run
    std::optional<std::size_t> trainArgument; ///< whether it runs as in training (dropout, batch norm)
    ArgumentCheck check = nullptr;
    std::optional<std::size_t> dropoutArgument; ///< a probability that is 0 outside of training
};

/// A graph whose nodes are resolved against LibTorch's operators, once.
struct GraphProgram {
    std::vector<std::string> names; ///< of values
    std::map<std::string, ValueId> ids;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<ProgramNode> nodes;

    ValueId idOf(const std::string& name) const;
};

/// Compiles the archive's graph; it must outlive the program. `device` takes the place of the export's. Throws
/// TrialError that lists, by module and source line, operators that no archive may run or LibTorch does not have, and
/// one for arguments that do not fit a schema.
std::unique_ptr<GraphProgram> compileGraph(const archive::Graph& graph, c10::Device device);

/// The c10 type of one of the schema's scalar types. Throws TrialError for those that LibTorch lacks.
at::ScalarType scalarTypeOf(int schemaNumber);

/// A Python number in a tensor's place, as in x * 2. Its memory is not LibTorch's allocator's: where the host is the
/// device, what a program keeps would else be measured as memory of the model.
c10::IValue wrappedNumber(const c10::IValue& number);

template <typename Action> void forEachRead(const ProgramNode& node, const Action& action)
{
    for (const ProgramArgument& argument : node.arguments)
        for (const ValueId value : argument.values)
            if (value != kNoValue)
                action(value);
}

template <typename Action> void forEachMade(const ProgramNode& node, const Action& action)
{
    for (const ProgramResult& result : node.results)
        for (const ValueId value : result.values)
            if (value != kNoValue)
                action(value);
}

} // namespace headroom::models
