// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/simulated/RepeatedBlocks.h"

namespace headroom::collectors {

/// Memory that a repeated program has taken, by number; what is left goes back with this object.
class ProgramMemory {
public:
    using Handle = tensor::MemoryBackend::Handle;

    explicit ProgramMemory(std::shared_ptr<AccountedMemory> memory)
        : m_memory(std::move(memory))
    {
    }
    ~ProgramMemory();
    ProgramMemory(ProgramMemory&&) = default;
    ProgramMemory& operator=(ProgramMemory&&) = delete;
    ProgramMemory(const ProgramMemory&) = delete;
    ProgramMemory& operator=(const ProgramMemory&) = delete;

    std::vector<Handle>& handles() { return m_handles; }
    /// A tensor's storage owns the memory from now on. Tensors of one number share it.
    c10::Storage handOn(const TensorForm& form);

private:
    std::shared_ptr<AccountedMemory> m_memory;
    std::vector<Handle> m_handles; ///< 0: not the program's any more
    std::vector<std::pair<std::uint32_t, c10::Storage>> m_handedOn;

public:
    /// The storages that were handed on are their tensors' alone.
    void forgetHandedOn() { m_handedOn.clear(); }
};

/// The place of a repeated block in autograd's graph.
class ReplayedBlock final : public torch::autograd::Node {
public:
    /// `blocks` is borrowed.
    ReplayedBlock(RepeatedBlocks& blocks, std::shared_ptr<BlockPass> pass, std::int64_t index, ProgramMemory memory)
        : m_blocks(blocks)
        , m_pass(std::move(pass))
        , m_index(index)
        , m_memory(std::move(memory))
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
    void leaveGradients(const BlockRecording& model);
    at::Tensor given(const BlockRecording& model, std::size_t output, const std::vector<c10::Storage>& arrived);

    RepeatedBlocks& m_blocks;
    std::shared_ptr<BlockPass> m_pass;
    std::int64_t m_index;
    ProgramMemory m_memory;
    std::vector<c10::Storage> m_held; ///< by input
    std::vector<std::size_t> m_outputsBefore; ///< of the block before, by edge
};

} // namespace headroom::collectors
