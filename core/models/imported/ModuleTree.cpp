// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ModuleTree.h"

#include "core/memory/ParameterStorage.h"

#include <algorithm>

namespace headroom::models {
namespace {

using archive::StoredKind;
using archive::StoredTensor;

constexpr const char* kAttention = "torch.ops.aten.scaled_dot_product_attention.default";
// Of attention in the model's own forward, which has no module of its own.
constexpr const char* kOwnAttention = "own_attention";

std::pair<std::string, std::string> splitName(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::pair(std::string(), name)
                                    : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

std::vector<std::int64_t> fixedSizes(const StoredTensor& stored)
{
    std::vector<std::int64_t> sizes;
    for (const archive::Size& size : stored.info.sizes)
        sizes.push_back(size.example);
    return sizes;
}

std::string attentionPath(const archive::Node& node)
{
    return node.module().empty() ? kOwnAttention : node.module();
}

} // namespace

ModuleTree::ModuleTree(
    torch::nn::Module& root, ExecutableGraph& graph, const ArchiveWeights& values, const at::TensorOptions& options)
    : m_root(root)
    , m_graph(graph)
    , m_values(values)
    , m_options(options)
    , m_linearNodes(archive::linearNodes(*graph.archive))
{
    readCalls();
}

void ModuleTree::readCalls()
{
    for (const archive::Node& node : m_graph.archive->graph.nodes) {
        for (const archive::ModuleCall& call : node.modules)
            m_types.emplace(call.path, call.type.substr(call.type.rfind('.') + 1));
        if (node.target == kAttention)
            m_attentionPaths.insert(attentionPath(node));
    }
    nameSharedModules();
    for (const archive::LinearNode& linear : m_linearNodes) {
        const StoredTensor* weight = m_graph.archive->findStored(linear.weight);
        m_linears.emplace(linear.path,
            LinearShape{linear.columns, linear.rows, scalarTypeOf(weight->info.scalarType),
                linear.bias.empty() ? Bias::Off : Bias::On,
                linear.isTransposed ? WeightLayout::InByOut : WeightLayout::OutByIn});
    }
}

// A module with several paths (T5's table of tokens, which its encoder and decoder have too) is called by those that
// its tensors are not under. They are in use where these run, and its class is theirs; a head that is tied to it is
// another.
void ModuleTree::nameSharedModules()
{
    std::map<std::string, std::string> owners; // value -> path
    std::set<std::string> havingTensors;
    for (const StoredTensor& stored : m_graph.archive->tensors) {
        const std::string path = splitName(stored.tiedTo.empty() ? stored.name : stored.tiedTo).first;
        owners.emplace(stored.value, path);
        havingTensors.insert(path);
    }
    std::map<std::string, std::set<std::string>> types; // of those that read a path's tensors
    for (const archive::Node& node : m_graph.archive->graph.nodes) {
        const std::string reader = node.module();
        const auto type = m_types.find(reader);
        if (type == m_types.end() || reader.empty() || havingTensors.contains(reader) || type->second == "Linear")
            continue;
        for (const archive::NamedArgument& input : node.inputs)
            for (const std::string& value : valuesOf(input.value))
                if (const auto owner = owners.find(value); owner != owners.end() && !m_types.contains(owner->second))
                    types[owner->second].insert(type->second);
    }
    for (const auto& [path, found] : types)
        if (found.size() == 1)
            m_types.emplace(path, *found.begin());
}

void ModuleTree::build()
{
    for (const StoredTensor& stored : m_graph.archive->tensors)
        if (stored.tiedTo.empty())
            addTensor(stored);
    addTies();
    for (const auto& [path, type] : m_types)
        moduleAt(path);
    for (const std::string& path : m_attentionPaths)
        moduleAt(path);
    addLinears();
    addAttention();
    addOutsideReads();
}

// Conv1D begins as its authors' models do.
std::shared_ptr<Linear> ModuleTree::madeLinear(const LinearShape& shape) const
{
    const auto linear =
        std::make_shared<Linear>(shape.in, shape.out, shape.bias, m_options.dtype(shape.type), shape.layout);
    if (shape.layout == WeightLayout::InByOut)
        linear->startNormal(kInitialDeviation);
    return linear;
}

std::shared_ptr<torch::nn::Module> ModuleTree::madeModule(const std::string& path) const
{
    if (const auto linear = m_linears.find(path); linear != m_linears.end())
        return madeLinear(linear->second);
    const auto found = m_types.find(path);
    const std::string type = found == m_types.end() ? "Module" : found->second;
    if (m_attentionPaths.contains(path))
        return std::make_shared<ImportedAttention>(type);
    return std::make_shared<ImportedModule>(type);
}

torch::nn::Module& ModuleTree::moduleAt(const std::string& path)
{
    if (path.empty())
        return m_root;
    if (const auto known = m_graph.modules.find(path); known != m_graph.modules.end())
        return *known->second;
    const auto [parent, name] = splitName(path);
    torch::nn::Module& above = moduleAt(parent);
    const auto module = madeModule(path);
    m_graph.modules.emplace(path, module);
    above.register_module(name, module);
    return *module;
}

void ModuleTree::addTensor(const StoredTensor& stored)
{
    const auto [path, name] = splitName(stored.name);
    torch::nn::Module& module = moduleAt(path);
    const at::Tensor tensor =
        stored.kind == StoredKind::Parameter ? parameterOf(module, name, stored) : bufferOf(module, name, stored);
    if (const ValueId value = m_graph.program->idOf(stored.value); value != kNoValue)
        m_graph.own[static_cast<std::size_t>(value)] = tensor;
}

at::Tensor ModuleTree::parameterOf(torch::nn::Module& module, const std::string& name, const StoredTensor& stored)
{
    const at::ScalarType type = scalarTypeOf(stored.info.scalarType);
    const bool isTrained = stored.info.requiresGrad && at::isFloatingType(type);
    const auto known = module.named_parameters(false);
    if (!known.contains(name))
        return module.register_parameter(
            name, tensor::emptyParameter(fixedSizes(stored), m_options.dtype(type)), isTrained);
    at::Tensor ofLinear = known[name];
    return ofLinear.requires_grad_(isTrained);
}

at::Tensor ModuleTree::bufferOf(torch::nn::Module& module, const std::string& name, const StoredTensor& stored)
{
    at::Tensor tensor = at::zeros(fixedSizes(stored), m_options.dtype(scalarTypeOf(stored.info.scalarType)));
    m_values.read(stored, tensor);
    if (!module.named_buffers(false).contains(name) && !module.named_parameters(false).contains(name))
        module.register_buffer(name, tensor);
    return tensor;
}

void ModuleTree::addTies()
{
    std::map<std::string, ValueId> byName;
    for (const StoredTensor& stored : m_graph.archive->tensors)
        byName.emplace(stored.name, m_graph.program->idOf(stored.value));
    for (const StoredTensor& stored : m_graph.archive->tensors) {
        const ValueId value = m_graph.program->idOf(stored.value);
        const auto master = byName.find(stored.tiedTo);
        if (value != kNoValue && master != byName.end() && master->second != kNoValue)
            m_graph.own[static_cast<std::size_t>(value)] = m_graph.own[static_cast<std::size_t>(master->second)];
    }
}

void ModuleTree::addLinears()
{
    for (const archive::LinearNode& linear : m_linearNodes) {
        const auto layer = std::dynamic_pointer_cast<Linear>(m_graph.modules.at(linear.path));
        for (const std::size_t node : {linear.first, linear.node, linear.last})
            m_graph.sites[node].linear = layer;
        m_graph.sites[linear.first].runs =
            ExecutableGraph::LinearSite{m_graph.program->idOf(linear.input), m_graph.program->idOf(linear.output)};
        for (const std::size_t node : {linear.first, linear.node})
            if (node != linear.last)
                forEachMade(m_graph.program->nodes[node], [&](ValueId value) { m_graph.skipped.insert(value); });
    }
}

void ModuleTree::addAttention()
{
    const auto& nodes = m_graph.archive->graph.nodes;
    for (std::size_t index = 0; index < nodes.size(); ++index)
        if (nodes[index].target == kAttention)
            m_graph.sites[index].attention =
                std::dynamic_pointer_cast<ImportedAttention>(m_graph.modules.at(attentionPath(nodes[index])));
}

// A weight that another module multiplies by (a tied head, MultiheadAttention's projection) is in use there too.
void ModuleTree::addOutsideReads()
{
    std::map<std::string, std::string> owners; // value -> path
    std::map<std::string, std::string> paths; // name -> path, of tensors that others are tied to
    for (const StoredTensor& stored : m_graph.archive->tensors)
        paths.emplace(stored.name, splitName(stored.name).first);
    for (const StoredTensor& stored : m_graph.archive->tensors)
        owners.emplace(stored.value, paths.at(stored.tiedTo.empty() ? stored.name : stored.tiedTo));
    const auto& nodes = m_graph.archive->graph.nodes;
    for (std::size_t index = 0; index < nodes.size(); ++index)
        for (const archive::NamedArgument& input : nodes[index].inputs)
            for (const std::string& value : valuesOf(input.value)) {
                const auto owner = owners.find(value);
                if (owner == owners.end() || owner->second.empty())
                    continue;
                const bool isInside = std::ranges::any_of(
                    nodes[index].modules, [&](const auto& call) { return call.path == owner->second; });
                if (!isInside)
                    m_graph.sites[index].outside.insert(m_graph.modules.at(owner->second).get());
            }
}

std::vector<std::shared_ptr<ImportedFeedForward>> ModuleTree::addFeedForwards(
    const std::vector<archive::FeedForwardNodes>& found)
{
    std::vector<std::shared_ptr<ImportedFeedForward>> feedForwards;
    for (const archive::FeedForwardNodes& nodes : found) {
        std::vector<std::shared_ptr<Linear>> linears;
        for (const archive::LinearNode& projection : nodes.projections)
            linears.push_back(m_graph.sites[projection.node].linear);
        linears.push_back(m_graph.sites[nodes.output.node].linear);
        const auto feedForward =
            std::make_shared<ImportedFeedForward>(*m_graph.program, nodes, linears, moduleAt(nodes.path));
        std::vector<std::size_t> members = nodes.between;
        members.insert(members.end(), nodes.cuts.begin(), nodes.cuts.end());
        std::vector<archive::LinearNode> all = nodes.projections;
        all.push_back(nodes.output);
        for (const archive::LinearNode& linear : all)
            members.insert(members.end(), {linear.first, linear.node, linear.last});
        for (const std::size_t member : members) {
            m_graph.sites[member].feedForward = feedForward;
            if (member != nodes.output.last)
                forEachMade(
                    m_graph.program->nodes[member], [&](ValueId value) { m_graph.inner.emplace(value, feedForward); });
        }
        m_graph.sites[nodes.projections.front().first].isFirstOfFeedForward = true;
        feedForwards.push_back(feedForward);
    }
    return feedForwards;
}

} // namespace headroom::models
