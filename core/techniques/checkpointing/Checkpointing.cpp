// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/Checkpointing.h"

#include "core/techniques/checkpointing/RecomputedLayers.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

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

} // namespace

Checkpointing::Checkpointing(const config::TechniqueSetting& setting)
    : m_policy(config::parseCheckpointing(setting.notation, "techniques.checkpointing"))
    , m_options(config::checkpointOpOptions(setting.options))
    , m_count(std::make_shared<BlockCount>())
{
}

StepHooks Checkpointing::apply(models::Model& model)
{
    m_checkpointed = config::checkpointedBlocks(m_policy, model.blockCount());
    if (m_policy.kind == PolicyKind::None)
        return {};
    model.setBlockExecution(std::make_unique<CheckpointedBlocks>(planFor(model), m_count));
    return {.beginStep = [this] { clearCounts(); }};
}

BlockPlan Checkpointing::planFor(models::Model& model)
{
    BlockPlan plan{.checkpointed = m_checkpointed,
        .earlyStop = m_options.stopsEarly ? tensor::EarlyStop::On : tensor::EarlyStop::Off,
        .offloads = m_policy.offload};
    if (m_policy.kind != PolicyKind::Ops)
        return plan;
    plan.ops = std::make_shared<OpRule>(m_options.savedOps, m_policy.period);
    const RecomputedLayers layers(model, m_options.recomputedModules);
    m_recomputedLayers = layers.text();
    for (std::int64_t block = 0; block < model.blockCount(); ++block) {
        plan.recomputedShapes.push_back(layers.shapesOf(block));
        m_count->ops.push_back(std::make_shared<BlockOpCount>());
    }
    return plan;
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

std::string Checkpointing::effective() const
{
    if (m_policy.kind == PolicyKind::None)
        return "none";
    const auto count = std::count(m_checkpointed.begin(), m_checkpointed.end(), true);
    std::string text = std::to_string(count) + " of " + std::to_string(m_checkpointed.size()) + " blocks checkpointed";
    if (m_policy.kind == PolicyKind::Ops)
        text += keptText();
    if (m_policy.offload)
        text += ", their inputs in pinned host memory";
    if (m_count->offload && !m_count->offload->whyPageable().empty())
        text += " (pageable in fact: " + m_count->offload->whyPageable() + ")";
    return m_options.stopsEarly ? text : text + ", repeated to the end";
}

std::string Checkpointing::keptText() const
{
    std::string text;
    std::int64_t ran = 0;
    std::map<std::string, std::int64_t> kept;
    bool isEach = true;
    for (const auto& block : m_count->ops) {
        isEach = isEach && block->ran == m_count->ops.front()->ran && block->kept == m_count->ops.front()->kept;
        ran += block->ran;
        for (const auto& [name, number] : block->kept)
            kept[name] += number;
    }
    if (ran > 0 && isEach)
        text = ", each keeping " + textOf(m_count->ops.front()->ran, m_count->ops.front()->kept);
    else if (ran > 0)
        text = ", keeping " + textOf(ran, kept) + " in all";
    return m_recomputedLayers.empty() ? text : text + ", never those of " + m_recomputedLayers;
}

} // namespace headroom::techniques
