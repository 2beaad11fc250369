// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedModel.h"

#include "core/archive/FeedForwards.h"
#include "core/archive/LossForms.h"
#include "core/base/Error.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/models/imported/BlockForms.h"
#include "core/models/imported/GraphBlocks.h"
#include "core/models/imported/ModuleTree.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr std::ptrdiff_t kNever = -1; // it is made before the graph runs, or never read

/// For each value the index of the node after which it is let go.
class Lifetimes {
public:
    Lifetimes(const GraphProgram& program, const archive::ExportedModel& model)
        : m_program(program)
        , m_last(program.names.size(), kNever)
        , m_made(program.names.size(), kNever)
    {
        findUses();
        if (model.notes.lifetimes)
            takeRecorded(*model.notes.lifetimes);
        else
            holdArguments();
    }

    const std::vector<std::ptrdiff_t>& last() const { return m_last; }

private:
    void findUses()
    {
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index) {
            const auto place = static_cast<std::ptrdiff_t>(index);
            forEachRead(
                m_program.nodes[index], [&](ValueId value) { m_last[static_cast<std::size_t>(value)] = place; });
            forEachMade(m_program.nodes[index], [&](ValueId value) {
                m_last[static_cast<std::size_t>(value)] = m_made[static_cast<std::size_t>(value)] = place;
            });
        }
    }

    // Never before the last use, whatever was recorded: views of Python may be other objects.
    void takeRecorded(const std::map<std::string, std::string>& recorded)
    {
        std::map<std::string, std::ptrdiff_t> places;
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index)
            places.emplace(m_program.nodes[index].source->name, static_cast<std::ptrdiff_t>(index));
        for (const auto& [value, node] : recorded) {
            const auto id = m_program.ids.find(value);
            const auto place = places.find(node);
            if (id == m_program.ids.end() || (place == places.end() && !node.empty()))
                continue;
            const std::ptrdiff_t before =
                node.empty() ? static_cast<std::ptrdiff_t>(m_program.nodes.size()) + 1 : place->second;
            std::ptrdiff_t& last = m_last[static_cast<std::size_t>(id->second)];
            last = std::max(last, before - 1);
        }
    }

    void holdArguments()
    {
        std::map<std::string, std::ptrdiff_t> ends;
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index)
            for (const archive::ModuleCall& call : m_program.nodes[index].source->modules)
                ends[call.key] = static_cast<std::ptrdiff_t>(index);
        for (const ProgramNode& node : m_program.nodes)
            forEachRead(node, [&](ValueId id) {
                const auto value = static_cast<std::size_t>(id);
                if (const auto* entered = firstCallWithout(node, value))
                    m_last[value] = std::max(m_last[value], ends.at(entered->key));
            });
    }

    // The outermost call around the node within which the value was not made.
    const archive::ModuleCall* firstCallWithout(const ProgramNode& node, std::size_t value) const
    {
        if (m_made[value] == kNever)
            return nullptr;
        const auto& uses = node.source->modules;
        const auto& makes = m_program.nodes[static_cast<std::size_t>(m_made[value])].source->modules;
        const std::size_t shared = std::min(uses.size(), makes.size());
        for (std::size_t depth = 0; depth < uses.size(); ++depth)
            if (depth >= shared || uses[depth].key != makes[depth].key)
                return &uses[depth];
        return nullptr;
    }

    const GraphProgram& m_program;
    std::vector<std::ptrdiff_t> m_last;
    std::vector<std::ptrdiff_t> m_made;
};

} // namespace

std::vector<std::size_t> setLifetimes(
    GraphProgram& program, const archive::ExportedModel& model, const std::vector<bool>& kept)
{
    const std::vector<std::ptrdiff_t> last = Lifetimes(program, model).last();
    const std::size_t end = program.nodes.size();
    std::vector<std::size_t> releases(last.size(), end);
    for (std::size_t value = 0; value < last.size(); ++value)
        if (!kept[value] && last[value] != kNever)
            releases[value] = std::min(static_cast<std::size_t>(last[value]), end);
    for (const ValueId output : program.outputs)
        if (output != kNoValue)
            releases[static_cast<std::size_t>(output)] = end;
    for (std::size_t value = 0; value < releases.size(); ++value)
        if (releases[value] < end)
            program.nodes[releases[value]].released.push_back(static_cast<ValueId>(value));
    return releases;
}

ImportedModel::ImportedModel(
    std::shared_ptr<const archive::ExportedModel> archive, const std::string& blocks, const at::TensorOptions& options)
    : m_archive(std::move(archive))
    , m_graph(std::make_shared<ExecutableGraph>())
    , m_values(m_archive)
{
    m_graph->archive = m_archive;
    m_graph->program = compileGraph(m_archive->graph, options.device());
    m_graph->autocastLists = tensor::autocastListsOf(options.device());
    build(archive::findBlocks(*m_archive, blocks, "model.blocks"), options);
    m_output = chosenOutput();
}

void ImportedModel::build(const archive::Blocks& blocks, const at::TensorOptions& options)
{
    m_graph->own.resize(m_graph->program->names.size());
    m_graph->sites.resize(m_graph->program->nodes.size());
    ModuleTree tree(*this, *m_graph, m_values, options);
    tree.build();
    m_feedForwards = tree.addFeedForwards(archive::findFeedForwards(*m_archive, blocks));
    std::vector<bool> kept;
    for (const c10::IValue& own : m_graph->own)
        kept.push_back(!own.isNone());
    m_graph->blocks = executableBlocks(*m_graph, blocks, setLifetimes(*m_graph->program, *m_archive, kept));
    for (const archive::BlockRange& range : blocks.ranges)
        m_blockModules.push_back(&tree.moduleAt(range.path));
}

ValueId ImportedModel::chosenOutput() const
{
    const std::string output = archive::floatingOutput(*m_archive);
    if (output.empty())
        throw TrialError("has no output of floating-point numbers", m_archive->file.string());
    return m_graph->program->idOf(output);
}

std::vector<FeedForward*> ImportedModel::feedForwards()
{
    std::vector<FeedForward*> result;
    for (const auto& feedForward : m_feedForwards)
        result.push_back(feedForward.get());
    return result;
}

std::vector<std::string> ImportedModel::blockComputations() const
{
    return blockForms(*m_graph);
}

std::set<std::string> ImportedModel::hostInputs() const
{
    std::set<std::string> names;
    for (const archive::UserInput& input : m_archive->inputs)
        if (!input.tensor)
            names.insert(input.name);
    return names;
}

GraphValues ImportedModel::inputValues(const Inputs& inputs) const
{
    GraphValues values(m_graph->program->names.size());
    for (const archive::UserInput& input : m_archive->inputs) {
        const auto given = inputs.find(input.name);
        if (given == inputs.end())
            throw TrialError("has no input \"" + input.name + "\"", m_archive->file.string());
        if (const ValueId value = m_graph->program->idOf(input.name); value != kNoValue)
            values[static_cast<std::size_t>(value)] =
                input.tensor ? c10::IValue(given->second) : c10::IValue(given->second.item<std::int64_t>());
    }
    return values;
}

std::string ImportedModel::tokenInput() const
{
    const std::vector<std::string> inputs = archive::tokenInputs(*m_archive);
    return inputs.size() == 1 ? inputs.front() : std::string();
}

at::Tensor ImportedModel::forward(const Inputs& inputs)
{
    return run(inputs)[static_cast<std::size_t>(m_output)].toTensor();
}

std::vector<at::Tensor> ImportedModel::forwardToLoss(const Inputs& inputs)
{
    const std::string loss = archive::ownLoss(*m_archive);
    if (loss.empty())
        return Model::forwardToLoss(inputs);
    const GraphValues values = run(inputs);
    const auto valueOf = [&](const std::string& output) {
        return values[static_cast<std::size_t>(m_graph->program->idOf(output))];
    };
    std::vector<at::Tensor> outputs{valueOf(loss).toTensor()};
    for (const std::string& output : m_archive->outputs)
        if (const c10::IValue value = valueOf(output); output != loss && value.isTensor())
            outputs.push_back(value.toTensor());
    return outputs;
}

GraphValues ImportedModel::run(const Inputs& inputs)
{
    GraphValues values = inputValues(inputs);
    const tensor::ModuleScope scope(*this);
    GraphRun run(*m_graph, values, 1, mode());
    std::size_t next = 0;
    for (std::size_t index = 0; index < m_graph->blocks.size(); ++index) {
        const ExecutableGraph::Block& block = m_graph->blocks[index];
        if (block.first > next)
            run.run(next, block.first - 1);
        run.enterAround(block);
        runGraphBlock(index, values);
        next = block.last + 1;
    }
    if (next < m_graph->program->nodes.size())
        run.run(next, m_graph->program->nodes.size() - 1);
    return values;
}

// Tensors pass the border as arguments, so that a repetition gets its own; numbers are the same each time.
void ImportedModel::runGraphBlock(std::size_t index, GraphValues& values)
{
    const ExecutableGraph::Block& block = m_graph->blocks[index];
    std::vector<at::Tensor> inputs;
    for (const ValueId value : block.reads)
        inputs.push_back(values[static_cast<std::size_t>(value)].toTensor());
    const auto made = std::make_shared<GraphValues>();
    const BlockForward forward = forwardOfBlock(index, values, made);
    for (const ValueId value : block.released)
        values[static_cast<std::size_t>(value)] = {};
    const auto results = runBlock(static_cast<std::int64_t>(index), forward, inputs);
    std::size_t next = 0;
    for (const ValueId value : block.makes)
        if (m_graph->isMade(value))
            values[static_cast<std::size_t>(value)] = results.at(next++);
    for (std::size_t i = 0; i < block.madeNumbers.size(); ++i)
        values[static_cast<std::size_t>(block.madeNumbers[i])] = made->at(i);
}

BlockForward ImportedModel::forwardOfBlock(
    std::size_t index, const GraphValues& values, std::shared_ptr<GraphValues> madeNumbers) const
{
    GraphValues numbers;
    for (const ValueId value : m_graph->blocks[index].readNumbers)
        numbers.push_back(values[static_cast<std::size_t>(value)]);
    return [graph = m_graph, index, numbers, madeNumbers, mode = mode()](const std::vector<at::Tensor>& inputs) {
        const ExecutableGraph::Block& here = graph->blocks[index];
        BlockValues own(*graph->spareValues, here.touched, graph->program->names.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            own.at(here.reads[i]) = inputs[i];
        for (std::size_t i = 0; i < numbers.size(); ++i)
            own.at(here.readNumbers[i]) = numbers[i];
        const tensor::ModuleScope scope(*here.module);
        GraphRun(*graph, own.all(), here.depth + 1, mode).run(here.first, here.last, here.key);
        GraphValues made;
        for (const ValueId value : here.madeNumbers)
            made.push_back(own.at(value));
        *madeNumbers = std::move(made);
        std::vector<at::Tensor> results;
        for (const ValueId value : here.makes)
            if (graph->isMade(value))
                results.push_back(own.at(value).toTensor());
        return results;
    };
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
