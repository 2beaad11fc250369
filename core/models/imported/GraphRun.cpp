// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/GraphRun.h"

#include "core/base/Error.h"
#include "core/models/imported/SizeOperations.h"

#include <ATen/autocast_mode.h>
#include <algorithm>
#include <typeinfo>

namespace headroom::models {
namespace {

using c10::IValue;
using Kind = ProgramArgument::Kind;

IValue asTensor(const IValue& number)
{
    const at::ScalarType type = number.isInt() ? at::kLong : number.isBool() ? at::kBool : at::kDouble;
    at::Tensor tensor = at::scalar_tensor(number.toScalar(), at::TensorOptions().dtype(type));
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

/// Interprets one graph over its values. Subgraphs have interpreters of their own.
class Interpreter {
public:
    Interpreter(const GraphProgram& program, GraphValues& values, const std::vector<IValue>* own, bool isTraining)
        : m_program(program)
        , m_values(values)
        , m_own(own)
        , m_isTraining(isTraining)
    {
    }

    IValue value(ValueId id) const
    {
        const auto place = static_cast<std::size_t>(id);
        if (m_own != nullptr && !(*m_own)[place].isNone())
            return (*m_own)[place];
        return m_values[place];
    }

    void runNode(const ProgramNode& node)
    {
        switch (node.kind) {
        case ProgramNode::Kind::Operator:
            runOperator(node);
            break;
        case ProgramNode::Kind::Sizes:
            if (!node.results.empty())
                store(node.results.front(), sizeOperation(node.source->target, arguments(node)));
            break;
        case ProgramNode::Kind::GradMode:
            runGradMode(node);
            break;
        case ProgramNode::Kind::Autocast:
            runAutocast(node);
            break;
        case ProgramNode::Kind::Nothing:
            break;
        }
        releaseAfter(node);
    }

    void releaseAfter(const ProgramNode& node)
    {
        for (const ValueId released : node.released)
            m_values[static_cast<std::size_t>(released)] = {};
    }

    IValue argument(const ProgramNode& node, std::size_t index) const
    {
        const ProgramArgument& argument = node.arguments[index];
        if (!m_isTraining && node.trainArgument == index)
            return false;
        if (!m_isTraining && node.dropoutArgument == index)
            return 0.0;
        switch (argument.kind) {
        case Kind::Constant:
        case Kind::Graph:
            return argument.constant;
        case Kind::Value: {
            IValue found = value(argument.values.front());
            return argument.wantsTensor && found.isScalar() ? asTensor(found) : found;
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
            integers.push_back(
                argument.values[i] == kNoValue ? argument.integers[i] : value(argument.values[i]).toInt());
        return integers;
    }

    void store(const ProgramResult& result, IValue value)
    {
        if (result.isList) {
            const auto tensors = value.toTensorVector();
            for (std::size_t i = 0; i < result.values.size() && i < tensors.size(); ++i)
                set(result.values[i], tensors[i]);
        } else if (!result.values.empty())
            set(result.values.front(), std::move(value));
    }

private:
    void set(ValueId id, IValue value)
    {
        if (id != kNoValue)
            m_values[static_cast<std::size_t>(id)] = std::move(value);
    }

    std::vector<IValue> arguments(const ProgramNode& node) const
    {
        std::vector<IValue> stack;
        stack.reserve(node.arguments.size());
        for (std::size_t i = 0; i < node.arguments.size(); ++i)
            stack.push_back(argument(node, i));
        return stack;
    }

    void runOperator(const ProgramNode& node)
    {
        torch::jit::Stack stack = arguments(node);
        try {
            node.op->callBoxed(stack);
        } catch (const c10::Error& error) {
            // Kinds of their own mean something to who catches them: out of memory, an ended recomputation.
            if (typeid(error) != typeid(c10::Error) && typeid(error) != typeid(c10::NotImplementedError))
                throw;
            throw TrialError(node.source->target + ": " + error.what_without_backtrace(), placeOf(*node.source));
        }
        for (std::size_t i = 0; i < node.results.size() && i < stack.size(); ++i)
            store(node.results[i], std::move(stack[i]));
    }

    // Flag, graph, inputs.
    void runGradMode(const ProgramNode& node)
    {
        const bool isEnabled = argument(node, 0).toBool() && torch::GradMode::is_enabled();
        const torch::AutoGradMode mode(isEnabled);
        runSubgraph(node, 1);
    }

    // Device type, dtype, whether it is on, cache, graph, inputs.
    void runAutocast(const ProgramNode& node)
    {
        if (argument(node, 2).toBool())
            throw TrialError("has an autocast region in its forward, which is not supported",
                placeOf(*node.source), "a model that is exported in the number format in which it runs");
        runSubgraph(node, 4);
    }

    void runSubgraph(const ProgramNode& node, std::size_t graphArgument)
    {
        const GraphProgram& program = *m_program.subgraphs.at(node.arguments.at(graphArgument).graph);
        GraphValues values(program.names.size());
        for (std::size_t i = 0; i < program.inputs.size() && graphArgument + 1 + i < node.arguments.size(); ++i)
            if (program.inputs[i] != kNoValue)
                values[static_cast<std::size_t>(program.inputs[i])] = argument(node, graphArgument + 1 + i);
        Interpreter inner(program, values, nullptr, m_isTraining);
        for (const ProgramNode& innerNode : program.nodes)
            inner.runNode(innerNode);
        std::size_t next = 0;
        for (const ProgramResult& result : node.results)
            for (const ValueId id : result.values)
                if (next < program.outputs.size())
                    set(id, inner.value(program.outputs[next++]));
    }

    const GraphProgram& m_program;
    GraphValues& m_values;
    const std::vector<IValue>* m_own;
    bool m_isTraining;
};

// By the operator's schema: query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa.
AttentionInputs attentionInputs(const Interpreter& interpreter, const ProgramNode& node)
{
    AttentionInputs inputs;
    inputs.query = interpreter.argument(node, 0).toTensor();
    inputs.key = interpreter.argument(node, 1).toTensor();
    inputs.value = interpreter.argument(node, 2).toTensor();
    if (const IValue mask = interpreter.argument(node, 3); !mask.isNone())
        inputs.mask = mask.toTensor();
    inputs.dropout = interpreter.argument(node, 4).toDouble();
    inputs.causality = interpreter.argument(node, 5).toBool() ? Causality::Causal : Causality::Full;
    if (const IValue scale = interpreter.argument(node, 6); !scale.isNone())
        inputs.scale = scale.toDouble();
    inputs.heads = interpreter.argument(node, 7).toBool() ? KeyHeads::Shared : KeyHeads::AsQueries;
    return inputs;
}

} // namespace

GraphRun::GraphRun(const ExecutableGraph& graph, GraphValues& values, std::size_t depth, bool isTraining)
    : m_graph(graph)
    , m_values(values)
    , m_depth(depth)
    , m_isTraining(isTraining)
{
}

void GraphRun::run(std::size_t first, std::size_t last, const std::string& key)
{
    for (std::size_t index = first; index <= last; ++index) {
        const auto& calls = m_graph.program->nodes[index].source->modules;
        const bool isWithin = key.empty() || (m_depth > 0 && calls.size() >= m_depth && calls[m_depth - 1].key == key);
        if (isWithin && !calls.empty())
            enter(calls, calls.size());
        runNode(index);
    }
    m_open.clear();
}

// Scopes close in the order opposite to the one in which they were opened.
void GraphRun::enter(const std::vector<archive::ModuleCall>& calls, std::size_t upTo)
{
    std::size_t shared = 0;
    while (shared < m_open.size() && m_depth + shared < upTo && m_open[shared].key == calls[m_depth + shared].key)
        ++shared;
    while (m_open.size() > shared)
        m_open.pop_back();
    for (std::size_t place = m_depth + shared; place < upTo; ++place) {
        const auto module = m_graph.modules.find(calls[place].path);
        m_open.push_back({calls[place].key, nullptr});
        if (module != m_graph.modules.end())
            m_open.back().scope = std::make_unique<tensor::ModuleScope>(*module->second);
    }
}

void GraphRun::runNode(std::size_t index)
{
    const ProgramNode& node = m_graph.program->nodes[index];
    const ExecutableGraph::Site& site = m_graph.sites[index];
    const tensor::SourceScope source(node.source->source);
    Interpreter interpreter(*m_graph.program, m_values, &m_graph.own, m_isTraining);
    if (site.linear) {
        at::Tensor result = site.linear->forward(interpreter.argument(node, 0).toTensor());
        interpreter.store(node.results.front(), std::move(result));
        interpreter.releaseAfter(node);
    } else if (site.attention) {
        at::Tensor result = site.attention->attention(attentionInputs(interpreter, node));
        interpreter.store(node.results.front(), std::move(result));
        interpreter.releaseAfter(node);
    } else
        interpreter.runNode(node);
}

} // namespace headroom::models
