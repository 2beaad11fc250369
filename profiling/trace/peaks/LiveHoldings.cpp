// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/LiveHoldings.h"

namespace headroom::trace {
namespace {

constexpr std::size_t kNobodysFromBefore = 0;

} // namespace

CategoryBytes categoriesOf(const Holdings& holdings, const OwnerTable& owners)
{
    CategoryBytes categories;
    for (const Holding& part : holdings.parts)
        categories.of(owners.of(part.owner).category) += part.bytes;
    return categories;
}

LiveHoldings::LiveHoldings(const MemoryCounters& before, std::span<const PhaseSpan> phases)
    : m_phases(phases)
    , m_counters(before)
{
    partOf(kUnknownOwner, m_phases.phases().size() + 1);
    m_parts[kNobodysFromBefore].bytes = before.allocated;
}

Holding LiveHoldings::holdingOf(OwnerId owner, std::size_t birth) const
{
    const auto phases = m_phases.phases();
    if (birth < phases.size())
        return {.owner = owner, .birth = Holding::Birth::InPhase, .phase = phases[birth]};
    return {.owner = owner,
        .birth = birth == phases.size() ? Holding::Birth::OutsideOfPhases : Holding::Birth::BeforeTrace};
}

std::size_t LiveHoldings::partOf(OwnerId owner, std::size_t birth)
{
    const auto [entry, isNew] = m_partOf.try_emplace((std::uint64_t{birth} << 32U) | owner, m_parts.size());
    if (isNew) {
        m_parts.push_back(holdingOf(owner, birth));
        m_births.push_back(birth);
    }
    return entry->second;
}

void LiveHoldings::move(Bytes bytes, std::size_t from, std::size_t to)
{
    m_parts[from].bytes -= bytes;
    m_parts[to].bytes += bytes;
    ++m_parts[to].blocks;
}

// The counters use the size in the event, and so do the parts, so that they always sum to the counters.
void LiveHoldings::apply(const AllocatorEvent& event)
{
    m_counters.apply(event);
    m_timeNs = event.timeNs;
    if (event.action == Action::Alloc)
        allocate(event);
    else if (event.action == Action::FreeRequested)
        free(event);
    else if (event.action == Action::Relabelled)
        relabel(event);
}

void LiveHoldings::settle(const MemoryCounters& counters)
{
    m_parts[kNobodysFromBefore].bytes += counters.allocated - m_counters.allocated;
    m_counters = counters;
}

void LiveHoldings::allocate(const AllocatorEvent& event)
{
    const std::size_t part = partOf(event.owner, m_phases.at(event.timeNs));
    m_blocks[event.address] = part;
    m_parts[part].bytes += event.bytes;
    ++m_parts[part].blocks;
}

void LiveHoldings::free(const AllocatorEvent& event)
{
    const auto block = m_blocks.find(event.address);
    if (block == m_blocks.end()) {
        m_parts[kNobodysFromBefore].bytes -= event.bytes;
        return;
    }
    m_parts[block->second].bytes -= event.bytes;
    --m_parts[block->second].blocks;
    m_blocks.erase(block);
}

void LiveHoldings::relabel(const AllocatorEvent& event)
{
    const auto [block, isFromBefore] = m_blocks.try_emplace(event.address, kNobodysFromBefore);
    const std::size_t from = block->second;
    const std::size_t to = partOf(event.owner, m_births[from]);
    move(event.bytes, from, to);
    if (!isFromBefore)
        --m_parts[from].blocks;
    block->second = to;
}

Holdings LiveHoldings::holdings() const
{
    Holdings holdings{m_timeNs, m_counters, m_parts};
    std::erase_if(holdings.parts, [](const Holding& part) { return part.bytes == 0 && part.blocks == 0; });
    return holdings;
}

} // namespace headroom::trace
