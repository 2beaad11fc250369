// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Checkpointing.h"

#include "core/tensor/CheckpointScope.h"
#include "core/tensor/MemoryScopes.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

constexpr const char* kTechnique = "checkpointing";

class CheckpointedBlocks final : public models::BlockExecution {
public:
    CheckpointedBlocks(std::vector<bool> checkpointed, std::shared_ptr<BlockCount> count)
        : m_checkpointed(std::move(checkpointed))
        , m_count(std::move(count))
    {
    }

    std::vector<at::Tensor> run(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) override
    {
        if (!m_checkpointed.at(static_cast<std::size_t>(index)) || !at::GradMode::is_enabled())
            return forward(inputs);
        ++m_count->checkpointed;
        const auto scope = begin(regionOf(index, forward), inputs);
        return forward(inputs);
    }

private:
    // What the region keeps, it keeps for the technique; what runs in it runs as it would without.
    static std::unique_ptr<tensor::CheckpointScope> begin(
        tensor::CheckpointRegion region, const std::vector<at::Tensor>& inputs)
    {
        const tensor::MemoryScope technique(kTechnique);
        return std::make_unique<tensor::CheckpointScope>(std::move(region), inputs);
    }

    // Lives as long as the graph, which may outlive this object.
    tensor::CheckpointRegion regionOf(std::int64_t index, const models::BlockForward& forward) const
    {
        return {"block " + std::to_string(index), [forward, count = m_count](const std::vector<at::Tensor>& inputs) {
                    const tensor::MemoryScope technique(kTechnique);
                    ++count->recomputed;
                    forward(inputs);
                }};
    }

    std::vector<bool> m_checkpointed;
    std::shared_ptr<BlockCount> m_count;
};

} // namespace

Checkpointing::Checkpointing(const config::TechniqueSetting& setting)
    : m_policy(config::parseCheckpointing(setting.notation, "techniques.checkpointing"))
    , m_count(std::make_shared<BlockCount>())
{
}

void Checkpointing::apply(models::Model& model)
{
    m_checkpointed = config::checkpointedBlocks(m_policy, model.blockCount());
    if (m_policy.kind != config::CheckpointPolicy::Kind::None)
        model.setBlockExecution(std::make_unique<CheckpointedBlocks>(m_checkpointed, m_count));
}

void Checkpointing::beginStep()
{
    *m_count = {};
}

Counters Checkpointing::counters() const
{
    return {{"blocks_checkpointed", m_count->checkpointed}, {"blocks_recomputed", m_count->recomputed},
        {"ops_recomputed", 0}, {"bytes_to_host", 0}};
}

std::string Checkpointing::effective() const
{
    if (m_policy.kind == config::CheckpointPolicy::Kind::None)
        return "none";
    const auto count = std::count(m_checkpointed.begin(), m_checkpointed.end(), true);
    return std::to_string(count) + " of " + std::to_string(m_checkpointed.size()) + " blocks checkpointed";
}

} // namespace headroom::techniques
