// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedFeedForward.h"

#include "core/memory/MemoryScopes.h"

#include <algorithm>
#include <set>

namespace headroom::models {
namespace {

FeedForwardOptions importedOptions(
    const archive::FeedForwardNodes& nodes, const std::vector<std::shared_ptr<Linear>>& linears)
{
    FeedForwardOptions options;
    options.dim = linears.front()->inFeatures();
    options.dimOut = linears.back()->outFeatures();
    options.inner = nodes.inner;
    const at::ScalarType type = linears.back()->weight.scalar_type();
    if (type != linears.front()->weight.scalar_type())
        options.outputType = type;
    return options;
}

} // namespace

ImportedFeedForward::ImportedFeedForward(const GraphProgram& program, const archive::FeedForwardNodes& nodes,
    const std::vector<std::shared_ptr<Linear>>& linears, const torch::nn::Module& place)
    : FeedForward(
          importedOptions(nodes, linears), linears.front(), linears.size() > 2 ? linears[1] : nullptr, linears.back())
    , m_place(place)
{
    for (const archive::InnerChannels& rows : nodes.channels) {
        m_channels.push_back({rows.projection, rows.first});
        m_values.push_back(localId(program.idOf(rows.value)));
    }
    addSteps(program, nodes);
    m_input = program.idOf(nodes.input);
    m_last = localId(program.idOf(nodes.output.input));
    m_result = program.nodes[nodes.output.last].results.front();
    releaseAfterLastUse();
}

// Channels are projected where the graph does it; halves where it cuts them.
void ImportedFeedForward::addSteps(const GraphProgram& program, const archive::FeedForwardNodes& nodes)
{
    std::map<std::size_t, Step> steps;
    for (std::size_t index = 0; index < nodes.channels.size(); ++index) {
        const archive::InnerChannels& rows = nodes.channels[index];
        const archive::LinearNode& projection = nodes.projections[rows.projection];
        const auto cut = std::ranges::find_if(nodes.cuts, [&](std::size_t node) {
            return program.nodes[node].source->inputs.front().value.name == projection.output;
        });
        steps[cut == nodes.cuts.end() ? projection.node : *cut].projected.push_back(index);
    }
    for (const std::size_t node : nodes.between)
        steps[node].node = localised(program.nodes[node]);
    for (auto& [place, step] : steps)
        m_steps.push_back(std::move(step));
}

ValueId ImportedFeedForward::localId(ValueId value)
{
    return m_ids.emplace(value, static_cast<ValueId>(m_ids.size())).first->second;
}

ProgramNode ImportedFeedForward::localised(const ProgramNode& node)
{
    ProgramNode local = node;
    local.released.clear();
    const auto replace = [this](std::vector<ValueId>& values) {
        for (ValueId& value : values)
            if (value != kNoValue)
                value = localId(value);
    };
    for (ProgramArgument& argument : local.arguments)
        replace(argument.values);
    for (ProgramResult& result : local.results)
        replace(result.values);
    return local;
}

void ImportedFeedForward::releaseAfterLastUse()
{
    std::set<ValueId> used{m_last};
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
        if (!step->node)
            continue;
        std::set<ValueId> read;
        forEachRead(*step->node, [&](ValueId value) { read.insert(value); });
        for (const ValueId value : read)
            if (used.insert(value).second)
                step->node->released.push_back(value);
    }
}

void ImportedFeedForward::runIn(Interpreter& interpreter)
{
    const tensor::ModuleScope scope(m_place);
    interpreter.store(m_result, forward(interpreter.value(m_input).toTensor()));
}

at::Tensor ImportedFeedForward::inner(const at::Tensor& input) const
{
    std::map<std::size_t, at::Tensor> halved; // projections of which both halves are wanted
    return activated([&](std::size_t index) {
        const ProjectedChannels& rows = m_channels[index];
        const Linear& linear = *projections()[rows.linear];
        if (linear.outFeatures() == layerOptions().inner)
            return linear.forward(input);
        at::Tensor& whole = halved[rows.linear];
        if (!whole.defined())
            whole = linear.forward(input);
        return whole.narrow(-1, rows.first, layerOptions().inner);
    });
}

at::Tensor ImportedFeedForward::activated(const Project& project) const
{
    GraphValues values(m_ids.size());
    Interpreter interpreter(values, nullptr, m_place.is_training() ? RunMode::Training : RunMode::Evaluation);
    for (const Step& step : m_steps) {
        for (const std::size_t index : step.projected)
            values[static_cast<std::size_t>(m_values[index])] = project(index);
        if (step.node)
            interpreter.run(*step.node);
    }
    return values[static_cast<std::size_t>(m_last)].toTensor();
}

} // namespace headroom::models
