// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/simulated/ProgramMemory.h"
#include "profiling/collectors/simulated/RepeatedBlocks.h"

namespace headroom::collectors {

/// The place of a repeated block in autograd's graph.
class ReplayedBlock final : public torch::autograd::Node {
public:
    /// `blocks` is borrowed.
    ReplayedBlock(RepeatedBlocks& blocks, std::shared_ptr<BlockPass> pass, std::int64_t index, ProgramMemory memory,
        KeptInputs kept)
        : m_blocks(blocks)
        , m_pass(std::move(pass))
        , m_index(index)
        , m_memory(std::move(memory))
        , m_kept(std::move(kept))
    {
    }

    /// Keeps the inputs that the block's graph would keep, and leads to the blocks that they come from.
    void connect(const std::vector<at::Tensor>& inputs, const GroupRun& group);

    torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override;
    std::string name() const override { return "ReplayedBlock"; }

private:
    const BlockRecording& model() const;
    const GroupRun& group() const;
    void requireArrived(const BlockRecording& model, const torch::autograd::variable_list& gradients) const;
    void play(const BlockRecording& model, torch::autograd::variable_list& gradients);
    void relabel(MemoryRole role, const tensor::LabelChange& change, const torch::autograd::variable_list& gradients);
    void leaveGradients(const BlockRecording& model);
    at::Tensor given(const BlockRecording& model, std::size_t output, const std::vector<c10::Storage>& arrived);

    RepeatedBlocks& m_blocks;
    std::shared_ptr<BlockPass> m_pass;
    std::int64_t m_index;
    ProgramMemory m_memory;
    std::vector<c10::Storage> m_held; ///< by input
    KeptInputs m_kept; ///< behind what they keep, so that they end first
    std::vector<std::size_t> m_outputsBefore; ///< of the block before, by edge
};

} // namespace headroom::collectors
