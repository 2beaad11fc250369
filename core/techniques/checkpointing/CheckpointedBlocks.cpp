// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/CheckpointedBlocks.h"

#include "core/memory/MemoryScopes.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

constexpr const char* kCheckpointingKey = "checkpointing";

c10::Device deviceOf(const std::vector<at::Tensor>& inputs)
{
    const auto first = std::ranges::find_if(inputs, [](const at::Tensor& input) { return input.defined(); });
    return first == inputs.end() ? c10::Device(c10::kCPU) : first->device();
}

} // namespace

CheckpointedBlocks::CheckpointedBlocks(BlockPlan plan, std::shared_ptr<BlockCount> count)
    : m_plan(std::move(plan))
    , m_count(std::move(count))
{
}

std::vector<at::Tensor> CheckpointedBlocks::run(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    if (!at::GradMode::is_enabled())
        return forward(inputs);
    if (!m_plan.offloads)
        return runBlock(index, forward, inputs);
    lineUp(index, inputs);
    auto outputs = runBlock(index, forward, inputs);
    m_count->offload->regionEnds();
    return outputs;
}

// All that the plan says of one block. Blocks that share a rule keep the same results.
std::string CheckpointedBlocks::formOf(std::int64_t index) const
{
    const BlockTreatment& treatment = m_plan.blocks.at(static_cast<std::size_t>(index));
    if (!treatment.isCheckpointed)
        return "plain";
    if (!treatment.ops)
        return "checkpointed";
    std::string form = "ops of rule " + std::to_string(std::hash<std::shared_ptr<OpRule>>()(treatment.ops));
    for (const auto& [in, out] : treatment.recomputedShapes)
        form += " " + std::to_string(in) + "x" + std::to_string(out);
    return form;
}

// Blocks that are not checkpointed count too: they show that the model has gone on.
void CheckpointedBlocks::lineUp(std::int64_t index, const std::vector<at::Tensor>& inputs)
{
    if (!m_count->offload)
        m_count->offload = std::make_shared<tensor::InputOffload>(deviceOf(inputs), kCheckpointingKey);
    if (index <= m_lastIndex)
        m_count->offload->forwardBegins();
    m_lastIndex = index;
    m_count->offload->regionBegins();
}

std::vector<at::Tensor> CheckpointedBlocks::runBlock(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    if (!m_plan.blocks.at(static_cast<std::size_t>(index)).isCheckpointed)
        return forward(inputs);
    ++m_count->checkpointed;
    const auto scope = begin(index, forward, inputs);
    return forward(inputs);
}

// What the region keeps, it keeps for the technique; what runs in it runs as it would without.
std::unique_ptr<tensor::CheckpointScope> CheckpointedBlocks::begin(
    std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) const
{
    const tensor::MemoryScope technique(kCheckpointingKey);
    return std::make_unique<tensor::CheckpointScope>(regionOf(index, forward), inputs, optionsOf(index));
}

// Lives as long as the graph, which may outlive this object.
tensor::CheckpointRegion CheckpointedBlocks::regionOf(std::int64_t index, const models::BlockForward& forward) const
{
    return {"block " + std::to_string(index), [forward, count = m_count](const std::vector<at::Tensor>& inputs) {
                const tensor::MemoryScope technique(kCheckpointingKey);
                ++count->recomputed;
                forward(inputs);
            }};
}

tensor::CheckpointOptions CheckpointedBlocks::optionsOf(std::int64_t index) const
{
    const auto block = static_cast<std::size_t>(index);
    const BlockTreatment& treatment = m_plan.blocks.at(block);
    tensor::CheckpointOptions options{.earlyStop = m_plan.earlyStop, .offload = m_count->offload};
    if (treatment.ops)
        options.selection =
            std::make_shared<BlockOpSelection>(treatment.ops, treatment.recomputedShapes, m_count->ops.at(block));
    return options;
}

} // namespace headroom::techniques
