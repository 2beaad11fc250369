// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedModel.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/memory/ParameterStorage.h"

#include <algorithm>
#include <set>

namespace headroom::models {
namespace {

using archive::StoredKind;
using archive::StoredTensor;

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

// Its sizes are those of values, which a simulated device does not have.
bool dependsOnValues(const c10::OperatorHandle& op)
{
    static const std::set<std::string> kOps{"aten::nonzero", "aten::masked_select", "aten::item",
        "aten::_local_scalar_dense", "aten::unique_consecutive", "aten::_unique2", "aten::unique_dim",
        "aten::repeat_interleave.Tensor", "aten::bincount", "aten::equal", "aten::allclose"};
    const auto& name = op.operator_name();
    return kOps.contains(name.overload_name.empty() ? name.name : name.name + "." + name.overload_name)
        || kOps.contains(name.name);
}

bool runsOnMeta(const c10::OperatorHandle& op)
{
    return op.hasKernelForDispatchKey(c10::DispatchKey::Meta)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
}

void refuseOnMeta(const GraphProgram& program, std::set<std::string>& byValue, std::set<std::string>& missing)
{
    for (const ProgramNode& node : program.nodes) {
        if (node.kind != ProgramNode::Kind::Operator)
            continue;
        if (dependsOnValues(*node.op))
            byValue.insert(node.source->target + " in " + placeOf(*node.source));
        else if (!runsOnMeta(*node.op))
            missing.insert(node.source->target + " in " + placeOf(*node.source));
    }
    for (const auto& subgraph : program.subgraphs)
        refuseOnMeta(*subgraph, byValue, missing);
}

std::string firstOf(const std::set<std::string>& places)
{
    constexpr std::size_t kListed = 8;
    std::vector<std::string> listed;
    for (const std::string& place : places)
        if (listed.size() < kListed)
            listed.push_back(place);
    return joined(listed) + (places.size() > kListed ? ", and " + std::to_string(places.size() - kListed) + " more" : "");
}

void requireMeta(const GraphProgram& program, const std::string& file)
{
    std::set<std::string> byValue;
    std::set<std::string> missing;
    refuseOnMeta(program, byValue, missing);
    if (!byValue.empty())
        throw TrialError("cannot be simulated, since sizes depend on values: " + firstOf(byValue), file,
            "a measured device: cpu, cuda:N");
    if (!missing.empty())
        throw TrialError("cannot be simulated, since these operators have no kernel without data: " + firstOf(missing),
            file, "a measured device: cpu, cuda:N");
}

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

} // namespace

ImportedModel::ImportedModel(std::shared_ptr<const archive::ExportedModel> archive, const std::string& blocks,
    const at::TensorOptions& options)
    : m_archive(std::move(archive))
    , m_graph(std::make_shared<ExecutableGraph>())
    , m_values(m_archive)
{
    m_graph->archive = m_archive;
    m_graph->program = compileGraph(m_archive->graph, options.device());
    if (options.device().is_meta())
        requireMeta(*m_graph->program, m_archive->file.string());
    m_graph->own.resize(m_graph->program->names.size());
    m_graph->sites.resize(m_graph->program->nodes.size());
    for (const archive::Node& node : m_archive->graph.nodes) {
        for (const archive::ModuleCall& call : node.modules)
            m_types.emplace(call.path, call.type.substr(call.type.rfind('.') + 1));
        if (node.target == "torch.ops.aten.scaled_dot_product_attention.default")
            m_attentionPaths.insert(node.module());
    }
    addLinears(options);
    addTensors(options);
    for (const auto& [path, type] : m_types)
        moduleAt(path);
    addAttention();
    std::vector<bool> kept(m_graph->program->names.size(), false);
    for (std::size_t value = 0; value < kept.size(); ++value)
        kept[value] = !m_graph->own[value].isNone();
    setLifetimes(*m_graph->program, *m_archive, kept);
    addBlocks(blocks);
    for (const std::string& output : m_archive->outputs) {
        const auto info = m_archive->graph.tensors.find(output);
        if (m_output == kNoValue && info != m_archive->graph.tensors.end()
            && archive::isFloatingScalarType(info->second.scalarType))
            m_output = m_graph->program->idOf(output);
    }
    if (m_output == kNoValue)
        throw TrialError("has no output of floating-point numbers", m_archive->file.string());
}

std::string ImportedModel::typeOf(const std::string& path) const
{
    const auto found = m_types.find(path);
    return found == m_types.end() ? "Module" : found->second;
}

torch::nn::Module& ImportedModel::moduleAt(const std::string& path)
{
    if (path.empty())
        return *this;
    auto& known = m_graph->modules[path];
    if (!known) {
        if (m_attentionPaths.contains(path))
            known = std::make_shared<ImportedAttention>(typeOf(path));
        else
            known = std::make_shared<ImportedModule>(typeOf(path));
        place(path, known);
    }
    return *m_graph->modules.at(path);
}

void ImportedModel::place(const std::string& path, const std::shared_ptr<torch::nn::Module>& module)
{
    const auto [parent, name] = splitName(path);
    moduleAt(parent).register_module(name, module);
}

// A Linear has no second set of weights: what its node multiplies by is the layer's own.
void ImportedModel::addLinears(const at::TensorOptions& options)
{
    std::map<std::string, const StoredTensor*> stored;
    for (const StoredTensor& tensor : m_archive->tensors)
        stored.emplace(tensor.value, &tensor);
    const std::vector<std::string> paths = config::linearPaths(*m_archive);
    const std::set<std::string> linears(paths.begin(), paths.end());
    for (std::size_t index = 0; index < m_graph->program->nodes.size(); ++index) {
        const archive::Node& node = *m_graph->program->nodes[index].source;
        if (node.target != "torch.ops.aten.linear.default" || !linears.contains(node.module()))
            continue;
        const auto weight = stored.find(node.inputs.at(1).value.name);
        if (weight == stored.end() || weight->second->name != node.module() + ".weight")
            continue;
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].value.kind == archive::ArgumentKind::Tensor;
        if (hasBias && stored.at(node.inputs[2].value.name)->name != node.module() + ".bias")
            continue;
        auto& module = m_graph->modules[node.module()];
        if (!module) {
            const auto sizes = fixedSizes(*weight->second);
            const auto type = scalarTypeOf(weight->second->info.scalarType);
            module = std::make_shared<Linear>(
                sizes.at(1), sizes.at(0), hasBias ? Bias::On : Bias::Off, options.dtype(type));
            place(node.module(), module);
        }
        m_graph->sites[index].linear = std::dynamic_pointer_cast<Linear>(module);
    }
}

void ImportedModel::addTensors(const at::TensorOptions& options)
{
    for (const StoredTensor& stored : m_archive->tensors)
        if (stored.tiedTo.empty())
            addOwn(stored, options);
    std::map<std::string, ValueId> byName;
    for (const StoredTensor& stored : m_archive->tensors)
        byName.emplace(stored.name, m_graph->program->idOf(stored.value));
    for (const StoredTensor& stored : m_archive->tensors) {
        const ValueId value = m_graph->program->idOf(stored.value);
        const auto master = byName.find(stored.tiedTo);
        if (value != kNoValue && master != byName.end() && master->second != kNoValue)
            m_graph->own[static_cast<std::size_t>(value)] = m_graph->own[static_cast<std::size_t>(master->second)];
    }
}

void ImportedModel::addOwn(const StoredTensor& stored, const at::TensorOptions& options)
{
    const auto [path, name] = splitName(stored.name);
    torch::nn::Module& module = moduleAt(path);
    at::Tensor tensor;
    if (stored.kind == StoredKind::Parameter) {
        const auto known = module.named_parameters(false);
        if (known.contains(name)) // a Linear's
            tensor = known[name];
        else
            tensor = module.register_parameter(name,
                tensor::emptyParameter(fixedSizes(stored), options.dtype(scalarTypeOf(stored.info.scalarType))),
                stored.info.requiresGrad && archive::isFloatingScalarType(stored.info.scalarType));
        if (archive::isFloatingScalarType(stored.info.scalarType))
            tensor.requires_grad_(stored.info.requiresGrad);
    } else {
        tensor = at::zeros(fixedSizes(stored), options.dtype(scalarTypeOf(stored.info.scalarType)));
        m_values.read(stored, tensor);
        if (name.find('.') == std::string::npos && !module.named_buffers(false).contains(name)
            && !module.named_parameters(false).contains(name))
            module.register_buffer(name, tensor);
    }
    if (const ValueId value = m_graph->program->idOf(stored.value); value != kNoValue)
        m_graph->own[static_cast<std::size_t>(value)] = tensor;
}

void ImportedModel::addAttention()
{
    for (std::size_t index = 0; index < m_graph->program->nodes.size(); ++index) {
        const archive::Node& node = *m_graph->program->nodes[index].source;
        if (node.target != "torch.ops.aten.scaled_dot_product_attention.default")
            continue;
        const auto found = m_graph->modules.find(node.module());
        if (found != m_graph->modules.end())
            m_graph->sites[index].attention = std::dynamic_pointer_cast<ImportedAttention>(found->second);
    }
}

void ImportedModel::addBlocks(const std::string& choice)
{
    for (const archive::BlockRange& range : archive::findBlocks(*m_archive, choice, "model.blocks").ranges) {
        ExecutableGraph::Block block{.first = range.first, .last = range.last};
        const auto& calls = m_archive->graph.nodes[range.first].modules;
        for (std::size_t depth = 0; depth < calls.size(); ++depth)
            if (calls[depth].path == range.path) {
                block.depth = depth;
                block.key = calls[depth].key;
                break;
            }
        findBorders(block);
        m_graph->blocks.push_back(std::move(block));
        m_blockModules.push_back(&moduleAt(range.path));
    }
}

void ImportedModel::findBorders(ExecutableGraph::Block& block) const
{
    const auto& nodes = m_graph->program->nodes;
    std::set<ValueId> made;
    std::set<ValueId> read;
    for (std::size_t index = block.first; index <= block.last; ++index) {
        forEachRead(nodes[index], [&](ValueId value) {
            if (!made.contains(value) && m_graph->own[static_cast<std::size_t>(value)].isNone()
                && read.insert(value).second)
                block.reads.push_back(value);
        });
        forEachMade(nodes[index], [&](ValueId value) { made.insert(value); });
    }
    std::set<ValueId> later(m_graph->program->outputs.begin(), m_graph->program->outputs.end());
    for (std::size_t index = block.last + 1; index < nodes.size(); ++index)
        forEachRead(nodes[index], [&](ValueId value) { later.insert(value); });
    for (const ValueId value : made)
        if (later.contains(value))
            block.makes.push_back(value);
}

std::set<std::string> ImportedModel::hostInputs() const
{
    std::set<std::string> names;
    for (const archive::UserInput& input : m_archive->inputs)
        if (!input.tensor)
            names.insert(input.name);
    return names;
}

at::Tensor ImportedModel::forward(const Inputs& inputs)
{
    const ExecutableGraph& graph = *m_graph;
    GraphValues values(graph.program->names.size());
    for (const archive::UserInput& input : m_archive->inputs) {
        const auto given = inputs.find(input.name);
        if (given == inputs.end())
            throw TrialError("has no input \"" + input.name + "\"", m_archive->file.string());
        if (const ValueId value = graph.program->idOf(input.name); value != kNoValue)
            values[static_cast<std::size_t>(value)] =
                input.tensor ? c10::IValue(given->second) : c10::IValue(given->second.item<std::int64_t>());
    }
    {
        const tensor::ModuleScope scope(*this);
        std::size_t next = 0;
        for (std::size_t index = 0; index < graph.blocks.size(); ++index) {
            const ExecutableGraph::Block& block = graph.blocks[index];
            if (block.first > next)
                GraphRun(graph, values, 1, is_training()).run(next, block.first - 1);
            runBlockNodes(index, values);
            next = block.last + 1;
        }
        if (next < graph.program->nodes.size())
            GraphRun(graph, values, 1, is_training()).run(next, graph.program->nodes.size() - 1);
    }
    return values[static_cast<std::size_t>(m_output)].toTensor();
}

// Tensors pass the border as arguments, so that a repetition gets its own; numbers are the same each time.
void ImportedModel::runBlockNodes(std::size_t index, GraphValues& values)
{
    const ExecutableGraph::Block& block = m_graph->blocks[index];
    std::vector<at::Tensor> tensors;
    std::vector<ValueId> places;
    std::vector<std::pair<ValueId, c10::IValue>> numbers;
    std::set<ValueId> released;
    for (std::size_t node = block.first; node <= block.last; ++node)
        released.insert(m_graph->program->nodes[node].released.begin(), m_graph->program->nodes[node].released.end());
    for (const ValueId value : block.reads) {
        c10::IValue& from = values[static_cast<std::size_t>(value)];
        if (from.isTensor()) {
            places.push_back(value);
            tensors.push_back(released.contains(value) ? std::move(from).toTensor() : from.toTensor());
        } else
            numbers.emplace_back(value, from);
        if (released.contains(value))
            from = {};
    }
    const bool isTraining = is_training();
    const auto madeNumbers = std::make_shared<std::vector<std::pair<ValueId, c10::IValue>>>();
    const auto forward = [graph = m_graph, index, places, numbers, isTraining, madeNumbers](
                             const std::vector<at::Tensor>& inputs) {
        const ExecutableGraph::Block& here = graph->blocks[index];
        GraphValues own(graph->program->names.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            own[static_cast<std::size_t>(places[i])] = inputs[i];
        for (const auto& [value, number] : numbers)
            own[static_cast<std::size_t>(value)] = number;
        const tensor::ModuleScope scope(*graph->modules.at(graph->archive->graph.nodes[here.first].modules[here.depth].path));
        GraphRun(*graph, own, here.depth + 1, isTraining).run(here.first, here.last, here.key);
        std::vector<at::Tensor> results;
        madeNumbers->clear();
        for (const ValueId value : here.makes) {
            const c10::IValue& made = own[static_cast<std::size_t>(value)];
            if (made.isTensor())
                results.push_back(made.toTensor());
            else
                madeNumbers->emplace_back(value, made);
        }
        return results;
    };
    GraphRun around(*m_graph, values, 1, isTraining);
    const auto& calls = m_archive->graph.nodes[block.first].modules;
    around.enter(calls, std::max<std::size_t>(block.depth, 1));
    const std::vector<at::Tensor> results = runBlock(static_cast<std::int64_t>(index), forward, tensors);
    std::set<ValueId> areNumbers;
    for (const auto& [value, number] : *madeNumbers) {
        values[static_cast<std::size_t>(value)] = number;
        areNumbers.insert(value);
    }
    std::size_t next = 0;
    for (const ValueId value : block.makes)
        if (!areNumbers.contains(value))
            values[static_cast<std::size_t>(value)] = results.at(next++);
}

std::shared_ptr<const archive::ExportedModel> archiveOf(const config::Configuration& configuration)
{
    auto archive = config::importedArchiveOf(configuration.model);
    if (!archive)
        throw TrialError("the archive of " + configuration.model + " is not there, or has another content by now",
            config::toLabel(configuration.modelFields.at(config::kArchiveField)));
    return archive;
}

} // namespace headroom::models
