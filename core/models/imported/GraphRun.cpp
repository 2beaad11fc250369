// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/GraphRun.h"

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

using c10::IValue;

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

// Scopes close in the order opposite to the one in which they were opened.
template <typename Open> void closeFrom(std::vector<Open>& open, std::size_t first)
{
    while (open.size() > first)
        open.pop_back();
}

// Of weights that a node reads from outside of their module's call: what is to be done around it, around the node.
class ModulesInUse {
public:
    explicit ModulesInUse(const std::set<const torch::nn::Module*>& modules)
    {
        for (const torch::nn::Module* module : modules)
            m_runs.push_back(std::make_unique<tensor::ModuleHookRun>(*module));
    }
    ~ModulesInUse() { closeFrom(m_runs, 0); }
    ModulesInUse(const ModulesInUse&) = delete;
    ModulesInUse& operator=(const ModulesInUse&) = delete;

private:
    std::vector<std::unique_ptr<tensor::ModuleHookRun>> m_runs;
};

std::vector<archive::ModeRegion> sharedRegions(const archive::Node& first, const archive::Node& last)
{
    const auto end = std::ranges::mismatch(first.regions, last.regions).in1;
    return {first.regions.begin(), end};
}

} // namespace

GraphValues SpareValues::take(std::size_t count)
{
    const std::scoped_lock lock(m_mutex);
    if (m_spare.empty())
        return GraphValues(count);
    GraphValues values = std::move(m_spare.back());
    m_spare.pop_back();
    return values;
}

void SpareValues::put(GraphValues values)
{
    const std::scoped_lock lock(m_mutex);
    m_spare.push_back(std::move(values));
}

BlockValues::BlockValues(SpareValues& spare, const std::vector<ValueId>& touched, std::size_t count)
    : m_spare(spare)
    , m_touched(touched)
    , m_values(spare.take(count))
{
}

BlockValues::~BlockValues()
{
    for (const ValueId value : m_touched)
        at(value) = {};
    m_spare.put(std::move(m_values));
}

void ImportedModule::initialise()
{
    for (auto& item : named_parameters(false)) {
        at::Tensor parameter = item.value();
        if (parameter.dim() > 1)
            parameter.normal_(0.0, kInitialDeviation);
        else
            parameter.fill_(item.key().ends_with("weight") ? 1.0 : 0.0);
    }
}

bool ExecutableGraph::isMade(ValueId value) const
{
    const auto found = inner.find(value);
    return found == inner.end() || !found->second->isTakenOver();
}

GraphRun::GraphRun(const ExecutableGraph& graph, GraphValues& values, std::size_t depth, RunMode mode)
    : m_graph(graph)
    , m_values(values)
    , m_depth(depth)
    , m_mode(mode)
    , m_recordsGradients(at::GradMode::is_enabled())
{
}

GraphRun::~GraphRun()
{
    closeFrom(m_regions, 0);
    closeFrom(m_calls, 0);
}

void GraphRun::run(std::size_t first, std::size_t last, const std::string& key)
{
    for (std::size_t index = first; index <= last; ++index) {
        const ProgramNode& node = m_graph.program->nodes[index];
        if ((index == first || node.isElsewhere) && isWithin(*node.source, key))
            enter(*node.source, node.source->modules.size(), node.source->regions);
        runNode(index);
    }
}

bool GraphRun::isWithin(const archive::Node& node, const std::string& key) const
{
    const auto& calls = node.modules;
    return !calls.empty() && (key.empty() || (m_depth > 0 && calls.size() >= m_depth && calls[m_depth - 1].key == key));
}

void GraphRun::enterAround(const ExecutableGraph::Block& block)
{
    const archive::Node& first = *m_graph.program->nodes[block.first].source;
    enter(first, block.depth, sharedRegions(first, *m_graph.program->nodes[block.last].source));
}

void GraphRun::enter(const archive::Node& node, std::size_t depth, const std::vector<archive::ModeRegion>& regions)
{
    std::size_t sharedModes = 0;
    while (sharedModes < m_regions.size() && sharedModes < regions.size()
        && m_regions[sharedModes].id == regions[sharedModes].id)
        ++sharedModes;
    closeFrom(m_regions, sharedModes);
    const auto& calls = node.modules;
    std::size_t shared = 0;
    while (shared < m_calls.size() && m_depth + shared < depth && m_calls[shared].key == calls[m_depth + shared].key)
        ++shared;
    closeFrom(m_calls, shared);
    for (std::size_t place = m_depth + shared; place < depth; ++place) {
        const auto module = m_graph.modules.find(calls[place].path);
        m_calls.push_back({calls[place].key, nullptr});
        if (module != m_graph.modules.end())
            m_calls.back().scope = std::make_unique<tensor::ModuleScope>(*module->second);
    }
    for (std::size_t place = sharedModes; place < regions.size(); ++place)
        open(regions[place]);
}

// torch.no_grad() ends with set_grad_enabled(true), which says that gradients are recorded if they were before. The
// export turns autocast's cache off and writes that down: a model's own region has it, as it has by default.
void GraphRun::open(const archive::ModeRegion& region)
{
    OpenRegion& opened = m_regions.emplace_back(OpenRegion{region.id, nullptr, nullptr});
    if (region.kind == archive::ModeRegion::Kind::Gradients) {
        opened.gradients = std::make_unique<at::AutoGradMode>(region.isOn && m_recordsGradients);
        return;
    }
    const auto type = region.isOn ? std::optional(scalarTypeOf(region.scalarType)) : std::nullopt;
    opened.autocast = std::make_unique<tensor::AutocastRegion>(type, m_graph.autocastLists);
}

void GraphRun::runNode(std::size_t index)
{
    const ProgramNode& node = m_graph.program->nodes[index];
    const ExecutableGraph::Site& site = m_graph.sites[index];
    const tensor::SourceScope source(node.source->source);
    Interpreter interpreter(m_values, &m_graph.own, m_mode);
    const ModulesInUse inUse(site.outside);
    const bool isOfFeedForward = site.feedForward && site.feedForward->isTakenOver();
    if (!isOfFeedForward && !site.linear && !site.attention)
        return interpreter.run(node);
    try {
        runLayer(interpreter, index, isOfFeedForward);
    } catch (const c10::Error& error) {
        throwPlaced(error, *node.source);
    }
    interpreter.release(node);
}

void GraphRun::runLayer(Interpreter& interpreter, std::size_t index, bool isOfFeedForward) const
{
    const ExecutableGraph::Site& site = m_graph.sites[index];
    if (isOfFeedForward) {
        if (site.isFirstOfFeedForward)
            site.feedForward->runIn(interpreter);
    } else if (site.attention) {
        const ProgramNode& node = m_graph.program->nodes[index];
        interpreter.store(node.results.front(), site.attention->attention(attentionInputs(interpreter, node)));
    } else if (site.runs)
        interpreter.set(site.runs->output, site.linear->forward(interpreter.value(site.runs->input).toTensor()));
}

} // namespace headroom::models
