// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/BlockTree.h"

#include "core/base/Quantities.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace headroom::trace {
namespace {

std::string sizesFrom(Bytes bytes)
{
    const Bytes power = std::bit_floor(static_cast<std::uint64_t>(std::max<Bytes>(bytes, 1)));
    return requestSizeText(power) + " to " + requestSizeText(2 * power);
}

std::vector<std::string> pathTo(Bytes bytes, std::int32_t stream, config::MemoryCategory category, Grouping grouping)
{
    if (grouping == Grouping::Size)
        return {sizesFrom(bytes), exactSizeText(bytes)};
    return {"stream " + std::to_string(stream), std::string(config::titleOf(category))};
}

} // namespace

void BlockTree::apply(const AllocatorEvent& event)
{
    m_counters.apply(event);
    if (event.action == Action::Alloc) {
        m_blocks[event.address] = {event.bytes, event.stream, event.owner};
    } else if (event.action == Action::FreeRequested) {
        if (m_blocks.erase(event.address) == 0)
            m_heldBefore -= event.bytes;
    } else if (event.action == Action::Relabelled) {
        if (const auto found = m_blocks.find(event.address); found != m_blocks.end())
            found->second.owner = event.owner;
    }
}

MemoryNode BlockTree::tree(const OwnerTable& owners, Grouping grouping) const
{
    std::map<std::tuple<Bytes, std::int32_t, config::MemoryCategory>, Bytes> sums;
    for (const auto& [address, block] : m_blocks)
        sums[{block.bytes, block.stream, owners.of(block.owner).category}] += block.bytes;
    MemoryTreeGrowth growth;
    for (const auto& [key, bytes] : sums) {
        const auto& [size, stream, category] = key;
        growth.add(pathTo(size, stream, category, grouping), category, bytes);
    }
    if (m_heldBefore > 0)
        growth.add({}, config::MemoryCategory::Unknown, m_heldBefore);
    return growth.take();
}

} // namespace headroom::trace
