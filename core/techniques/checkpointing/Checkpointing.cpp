// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/Checkpointing.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/models/Model.h"
#include "core/models/layers/Linear.h"
#include "core/techniques/checkpointing/BlockOps.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headroom::techniques {
namespace {

/// Linear layers whose products `ops` computes again, found by parts of their paths. An op does not know its layer: the
/// shape of the weight stands for it, within its block.
class RecomputedLayers {
public:
    /// Looks for the layers in the blocks of the model. Throws UsageError when a name is part of no linear layer's path
    /// there, with what it is part of, and with the layers that there are.
    RecomputedLayers(models::Model& model, const std::vector<std::string>& names);

    /// Of the layers of that block.
    const std::vector<OperandShape>& shapesOf(std::int64_t block) const;

    /// "to_q, to_k; with them, of the same shape, to_v": paths within the block, each once.
    std::string text() const;

private:
    struct Layer {
        std::int64_t block;
        std::string path; ///< within the model
        std::string pathInBlock;
        OperandShape shape;
    };

    void collect(models::Model& model);
    void choose(const std::string& name);
    std::vector<std::string> caught() const;

    std::vector<Layer> m_layers;
    std::vector<std::string> m_otherModules; ///< paths of what is no linear layer
    std::vector<std::string> m_chosen; ///< paths within the blocks, each once
    std::vector<std::vector<OperandShape>> m_shapes; ///< by block
};

std::string pathOf(models::Model& model, const torch::nn::Module* module)
{
    for (const auto& item : model.named_modules({}, /*include_self=*/false))
        if (item.value().get() == module)
            return item.key();
    return {};
}

void addOnce(std::vector<std::string>& names, const std::string& name)
{
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

bool isPartOf(const std::string& name, const std::string& path)
{
    return path.find(name) != std::string::npos;
}

RecomputedLayers::RecomputedLayers(models::Model& model, const std::vector<std::string>& names)
    : m_shapes(static_cast<std::size_t>(model.blockCount()))
{
    if (names.empty())
        return;
    collect(model);
    for (const std::string& name : names)
        choose(name);
}

void RecomputedLayers::collect(models::Model& model)
{
    const std::vector<torch::nn::Module*> blocks = model.blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        const std::string path = pathOf(model, blocks[block]);
        for (const auto& item : blocks[block]->named_modules({}, /*include_self=*/false)) {
            const std::string full = path + "." + item.key();
            if (const auto* linear = dynamic_cast<const models::Linear*>(item.value().get()))
                m_layers.push_back({static_cast<std::int64_t>(block), full, item.key(),
                    {linear->inFeatures(), linear->outFeatures()}});
            else
                m_otherModules.push_back(full);
        }
    }
}

void RecomputedLayers::choose(const std::string& name)
{
    bool isFound = false;
    for (const Layer& layer : m_layers)
        if (isPartOf(name, layer.path)) {
            m_shapes[static_cast<std::size_t>(layer.block)].push_back(layer.shape);
            addOnce(m_chosen, layer.pathInBlock);
            isFound = true;
        }
    if (isFound)
        return;
    const auto other =
        std::ranges::find_if(m_otherModules, [&](const std::string& path) { return isPartOf(name, path); });
    std::vector<std::string> valid;
    for (const Layer& layer : m_layers)
        addOnce(valid, layer.pathInBlock);
    throw UsageError("\"" + name + "\" is part of no linear layer's path in the blocks"
            + (other == m_otherModules.end() ? "" : "; " + *other + " is no linear layer"),
        "techniques.checkpointing.force_recompute", "parts of " + joined(valid));
}

const std::vector<OperandShape>& RecomputedLayers::shapesOf(std::int64_t block) const
{
    return m_shapes.at(static_cast<std::size_t>(block));
}

std::vector<std::string> RecomputedLayers::caught() const
{
    std::vector<std::string> paths;
    for (const Layer& layer : m_layers)
        if (const auto& shapes = shapesOf(layer.block); std::ranges::find(shapes, layer.shape) != shapes.end()
            && std::ranges::find(m_chosen, layer.pathInBlock) == m_chosen.end())
            addOnce(paths, layer.pathInBlock);
    return paths;
}

std::string RecomputedLayers::text() const
{
    if (m_chosen.empty())
        return {};
    const std::vector<std::string> others = caught();
    return joined(m_chosen) + (others.empty() ? "" : "; with them, of the same shape, " + joined(others));
}

using PolicyKind = config::CheckpointPolicy::Kind;

std::int64_t sumOf(const std::map<std::string, std::int64_t>& counts)
{
    std::int64_t sum = 0;
    for (const auto& [name, count] : counts)
        sum += count;
    return sum;
}

// "8 of 61 ops' results (6 addmm, 2 bmm)"
std::string textOf(std::int64_t ran, const std::map<std::string, std::int64_t>& kept)
{
    std::string names;
    for (const auto& [name, count] : kept)
        names += (names.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    return std::to_string(sumOf(kept)) + " of " + std::to_string(ran) + " ops' results"
        + (names.empty() ? "" : " (" + names + ")");
}

const char* blockWord(const config::BlockList& blocks)
{
    return blocks.ranges.size() == 1 && blocks.ranges.front().first == blocks.ranges.front().last ? "block" : "blocks";
}

} // namespace

Checkpointing::Checkpointing(const config::TechniqueSetting& setting)
    : m_policy(config::parseCheckpointing(setting.notation, "techniques.checkpointing"))
    , m_options(config::checkpointOpOptions(setting.options))
    , m_count(std::make_shared<BlockCount>())
{
}

StepHooks Checkpointing::apply(models::Model& model)
{
    m_blocks = config::blockPolicies(m_policy, model.blockCount());
    if (m_policy.kind == PolicyKind::None)
        return {};
    model.setBlockExecution(std::make_unique<CheckpointedBlocks>(planFor(model), m_count));
    return {.beginStep = [this] { clearCounts(); }};
}

bool Checkpointing::keepsResults() const
{
    return std::ranges::any_of(
        m_blocks, [](const config::BlockPolicy& policy) { return policy.kind == config::BlockPolicy::Kind::Ops; });
}

BlockPlan Checkpointing::planFor(models::Model& model)
{
    BlockPlan plan{.blocks = {},
        .earlyStop = m_options.stopsEarly ? tensor::EarlyStop::On : tensor::EarlyStop::Off,
        .offloads = m_policy.offload};
    const RecomputedLayers layers(model, keepsResults() ? m_options.recomputedModules : std::vector<std::string>());
    m_recomputedLayers = layers.text();
    for (std::size_t block = 0; block < m_blocks.size(); ++block) {
        plan.blocks.push_back({.isCheckpointed = m_blocks[block].isCheckpointed(),
            .ops = ruleFor(m_blocks[block], plan),
            .recomputedShapes = layers.shapesOf(static_cast<std::int64_t>(block))});
        m_count->ops.push_back(std::make_shared<BlockOpCount>());
    }
    return plan;
}

// Blocks with the same policy share a rule, which looks each op up once.
std::shared_ptr<OpRule> Checkpointing::ruleFor(const config::BlockPolicy& policy, const BlockPlan& plan) const
{
    if (policy.kind != config::BlockPolicy::Kind::Ops)
        return nullptr;
    for (std::size_t block = 0; block < plan.blocks.size(); ++block)
        if (m_blocks[block] == policy)
            return plan.blocks[block].ops;
    return std::make_shared<OpRule>(m_options.savedOps, policy.period, policy.calls);
}

void Checkpointing::clearCounts()
{
    m_count->checkpointed = 0;
    m_count->recomputed = 0;
    for (const auto& block : m_count->ops)
        block->recomputed = 0;
    if (m_count->offload)
        m_count->offload->clearCount();
}

Counters Checkpointing::counters() const
{
    std::int64_t opsRecomputed = 0;
    for (const auto& block : m_count->ops)
        opsRecomputed += block->recomputed;
    return {{"blocks_checkpointed", m_count->checkpointed}, {"blocks_recomputed", m_count->recomputed},
        {"ops_recomputed", opsRecomputed}, {"bytes_to_host", m_count->offload ? m_count->offload->bytesToHost() : 0}};
}

bool Checkpointing::countRepeated(const RepeatedBlock& block)
{
    if (block.counted.at("bytes_to_host") != 0)
        return false;
    m_count->checkpointed += block.counted.at("blocks_checkpointed");
    m_count->recomputed += block.counted.at("blocks_recomputed");
    if (m_count->ops.empty())
        return true;
    BlockOpCount& ops = *m_count->ops.at(static_cast<std::size_t>(block.block));
    const BlockOpCount& like = *m_count->ops.at(static_cast<std::size_t>(block.like));
    ops = {like.ran, like.kept, ops.recomputed + block.counted.at("ops_recomputed")};
    return true;
}

std::string Checkpointing::effective() const
{
    if (m_policy.kind == PolicyKind::None)
        return "none";
    const auto count = std::ranges::count_if(m_blocks, &config::BlockPolicy::isCheckpointed);
    std::string text = std::to_string(count) + " of " + std::to_string(m_blocks.size()) + " blocks checkpointed";
    if (keepsResults())
        text += keptText();
    if (m_policy.offload)
        text += ", their inputs in pinned host memory";
    if (m_count->offload && !m_count->offload->whyPageable().empty())
        text += " (pageable in fact: " + m_count->offload->whyPageable() + ")";
    return m_options.stopsEarly ? text : text + ", repeated to the end";
}

// One policy of all blocks is said once, several by group.
std::string Checkpointing::keptText() const
{
    std::string text;
    const std::vector<config::BlockGroup> groups = config::groupsOf(m_blocks);
    if (groups.size() == 1 && groups.front().blocks.ranges.size() == 1)
        text = keptTextOf(groups.front().blocks);
    else
        for (const config::BlockGroup& group : groups)
            text += "; " + std::string(blockWord(group.blocks)) + " " + toText(group.blocks)
                + (group.policy.kind == config::BlockPolicy::Kind::Ops ? keptTextOf(group.blocks) : " as a whole");
    return m_recomputedLayers.empty() ? text : text + ", never those of " + m_recomputedLayers;
}

std::string Checkpointing::keptTextOf(const config::BlockList& blocks) const
{
    const BlockOpCount* first = nullptr;
    std::int64_t ran = 0;
    std::map<std::string, std::int64_t> kept;
    bool isEach = true;
    for (std::size_t number = 0; number < m_count->ops.size(); ++number) {
        if (!blocks.contains(static_cast<std::int64_t>(number)))
            continue;
        const BlockOpCount& block = *m_count->ops[number];
        first = first == nullptr ? &block : first;
        isEach = isEach && block.ran == first->ran && block.kept == first->kept;
        ran += block.ran;
        for (const auto& [name, count] : block.kept)
            kept[name] += count;
    }
    if (ran == 0)
        return {};
    return isEach ? ", each keeping " + textOf(first->ran, first->kept) : ", keeping " + textOf(ran, kept) + " in all";
}

} // namespace headroom::techniques
