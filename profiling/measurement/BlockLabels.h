// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "profiling/trace/AllocatorEvent.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// An allocator's event, and whose the block is. The owner's number is left to the recorder of the trace.
struct LabelledEvent : trace::AllocatorEvent {
    tensor::MemoryLabel label{};
    tensor::MemoryLabel previousLabel{}; ///< of Relabelled only
};

/// Whose the blocks of one allocator are, from what is known when they are handed out and what becomes known later.
/// For one thread at a time; events and changes in the order in which they happened.
class BlockLabels {
public:
    /// The event with its block's label; `label` is that of a block which is handed out with it.
    LabelledEvent labelled(const trace::AllocatorEvent& event, const tensor::MemoryLabel& label);

    /// The event that says of a block what became known; nothing where that is nothing new, or no such block is known.
    std::optional<LabelledEvent> relabelled(
        std::uint64_t address, const tensor::LabelChange& change, std::int64_t timeNs);

    /// The events that give every live block of this size that nobody claimed to somebody.
    std::vector<LabelledEvent> claimUnknown(
        Bytes requestedBytes, const tensor::MemoryLabel& label, std::int64_t timeNs);

private:
    struct Block {
        trace::AllocatorEvent birth;
        tensor::MemoryLabel label;
    };
    std::unordered_map<std::uint64_t, Block> m_blocks; ///< by address, until their memory can be handed out again
};

} // namespace headroom::collectors
