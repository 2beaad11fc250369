// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphProgram.h"
#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::models {

/// Arithmetic on sizes that an export leaves outside of ATen (`_operator.mul`, `torch.sym_sum`, `math.ceil`), with
/// Python's rules: a quotient of integers is rounded down. Throws TrialError for an operation that is not known.
c10::IValue sizeOperation(const std::string& target, const std::vector<c10::IValue>& arguments);

/// Values of one run by id; a block has its own.
using GraphValues = std::vector<c10::IValue>;

/// Whether dropout drops and batch norms use the batch's statistics.
enum class RunMode { Training, Evaluation };

/// Throws what LibTorch refuses as a TrialError with the node's operator and place; other kinds of errors as they are.
/// Only from within a handler of the error.
[[noreturn]] void throwPlaced(const c10::Error& error, const archive::Node& node);

/// Runs nodes over values.
class Interpreter {
public:
    /// `own`: the model's tensors by value, nothing elsewhere; null: there are none. Both are borrowed.
    Interpreter(GraphValues& values, const std::vector<c10::IValue>* own, RunMode mode)
        : m_values(values)
        , m_own(own)
        , m_mode(mode)
    {
    }

    /// Computes, stores and releases. Throws TrialError with the node's place for what LibTorch refuses.
    void run(const ProgramNode& node);

    /// One value, or one argument of a node, for who takes its operator's place; stores and releases are then theirs
    /// to call.
    const c10::IValue& value(ValueId id) const;
    c10::IValue argument(const ProgramNode& node, std::size_t index) const;
    void store(const ProgramResult& result, c10::IValue value);
    void set(ValueId id, c10::IValue value);
    void release(const ProgramNode& node);

private:
    c10::IValue valueArgument(const ProgramArgument& argument) const;
    std::vector<c10::IValue> arguments(const ProgramNode& node) const;
    void runOperator(const ProgramNode& node);
    void call(const ProgramNode& node, torch::jit::Stack& stack) const;

    GraphValues& m_values;
    const std::vector<c10::IValue>* m_own;
    RunMode m_mode;
};

} // namespace headroom::models
