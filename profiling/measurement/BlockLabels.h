// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "profiling/trace/AllocatorEvent.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// An allocator event with the label of its block. The recorder of the trace fills in the owner's number.
struct LabelledEvent : trace::AllocatorEvent {
    tensor::MemoryLabel label{};
    tensor::MemoryLabel previousLabel{}; ///< of Relabelled only
};

/// The owners of one allocator's blocks, from what is known when they are allocated and what becomes known later. For
/// one thread at a time; events and changes must come in the order in which they happened.
class BlockLabels {
public:
    /// The event with its block's label; `label` belongs to a block that this event allocates.
    LabelledEvent labelled(const trace::AllocatorEvent& event, const tensor::MemoryLabel& label);

    /// The event that reports a change of a block's label; nullopt if nothing changed, or if no such block is known.
    std::optional<LabelledEvent> relabelled(
        std::uint64_t address, const tensor::LabelChange& change, std::int64_t timeNs);

    /// The events that assign every live unclaimed block of this size.
    std::vector<LabelledEvent> claimUnknown(
        Bytes requestedBytes, const tensor::MemoryLabel& label, std::int64_t timeNs);

private:
    struct Block {
        trace::AllocatorEvent birth;
        tensor::MemoryLabel label;
    };
    std::unordered_map<std::uint64_t, Block> m_blocks; ///< by address, until the memory can be allocated again
};

} // namespace headroom::collectors
