// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/BlockLabels.h"

namespace headroom::collectors {

LabelledEvent BlockLabels::labelled(const trace::AllocatorEvent& event, const tensor::MemoryLabel& label)
{
    if (event.action == trace::Action::Alloc) {
        m_blocks[event.address] = {event, label};
        return {event, label};
    }
    if (event.action != trace::Action::FreeRequested && event.action != trace::Action::FreeCompleted)
        return {event};
    const auto block = m_blocks.find(event.address);
    if (block == m_blocks.end())
        return {event};
    LabelledEvent result{event, block->second.label};
    result.bytes = block->second.birth.bytes; // not every allocator reports the rounded size both times
    result.requestedBytes = block->second.birth.requestedBytes;
    if (event.action == trace::Action::FreeCompleted)
        m_blocks.erase(block);
    return result;
}

std::optional<LabelledEvent> BlockLabels::relabelled(
    std::uint64_t address, const tensor::LabelChange& change, std::int64_t timeNs)
{
    const auto block = m_blocks.find(address);
    if (block == m_blocks.end())
        return std::nullopt;
    const tensor::MemoryLabel previous = block->second.label;
    const tensor::MemoryLabel label = tensor::changed(previous, change);
    if (label == previous)
        return std::nullopt;
    block->second.label = label;
    LabelledEvent event{block->second.birth, label, previous};
    event.timeNs = timeNs;
    event.action = trace::Action::Relabelled;
    return event;
}

std::vector<LabelledEvent> BlockLabels::claimUnknown(
    Bytes requestedBytes, const tensor::MemoryLabel& label, std::int64_t timeNs)
{
    std::vector<LabelledEvent> events;
    for (const auto& [address, block] : m_blocks)
        if (block.birth.requestedBytes == requestedBytes && block.label == tensor::MemoryLabel{})
            events.push_back(*relabelled(address, {label}, timeNs));
    return events;
}

} // namespace headroom::collectors
