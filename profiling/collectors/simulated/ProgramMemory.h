// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/simulated/BlockProgram.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headroom::collectors {

/// Memory that a repeated program has taken, by number; what is left goes back with this object.
class ProgramMemory {
public:
    using Handle = tensor::MemoryBackend::Handle;
    using Spend = std::function<void(const simulator::OpCost&)>;

    explicit ProgramMemory(std::shared_ptr<AccountedMemory> memory)
        : m_memory(std::move(memory))
    {
    }
    ~ProgramMemory();
    ProgramMemory(ProgramMemory&&) = default;
    ProgramMemory& operator=(ProgramMemory&&) = delete;
    ProgramMemory(const ProgramMemory&) = delete;
    ProgramMemory& operator=(const ProgramMemory&) = delete;

    /// What a program does besides taking memory.
    struct Actions {
        const Spend& spend;
        /// Of what is not the program's own.
        std::function<void(MemoryRole)> release;
        /// Of what is not the program's own any more.
        std::function<void(MemoryRole, const tensor::LabelChange&)> relabel;
        /// The label that a step gives; null: as it stands there.
        std::function<tensor::MemoryLabel(const tensor::MemoryLabel&)> labelOf{};

        tensor::MemoryLabel labelIn(const ProgramStep& step) const
        {
            return labelOf ? labelOf(step.label) : step.label;
        }
    };

    /// Asks allocator and clock for `steps`, a part of `program`.
    void play(const BlockProgram& program, std::span<const ProgramStep> steps, const Actions& actions);

    /// A tensor's storage owns the memory from now on. Tensors of one number share it.
    c10::Storage handOn(const TensorForm& form);
    /// The storages that were handed on are their tensors' alone.
    void forgetHandedOn() { m_handedOn.clear(); }

private:
    void play(const BlockProgram& program, const ProgramStep& step, const Actions& actions);
    void relabel(const ProgramStep& step, const Actions& actions);

    std::shared_ptr<AccountedMemory> m_memory;
    std::vector<Handle> m_handles; ///< 0: not the program's any more
    std::vector<std::pair<std::uint32_t, c10::Storage>> m_handedOn;
};

} // namespace headroom::collectors
