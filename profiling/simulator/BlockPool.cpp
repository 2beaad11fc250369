// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/BlockPool.h"

namespace headroom::simulator {

BlockPool::BlockPool(PoolKind kind)
    : m_kind(kind)
{
}

void BlockPool::insert(Block& block)
{
    block.cachedAtSearch = m_searches;
    block.position = m_spareNodes.put(m_cached, {block.stream, block.bytes, block.address, &block});
}

void BlockPool::insertUnmapped(Block& block)
{
    m_unmapped.emplace(std::pair(block.stream, block.address), &block);
}

void BlockPool::erase(Block& block)
{
    if (block.isMapped)
        m_spareNodes.take(m_cached, block.position);
    else
        m_unmapped.erase({block.stream, block.address});
}

FitOrder::const_iterator BlockPool::firstFit(Stream stream, Bytes bytes) const
{
    const auto found = m_cached.lower_bound({stream, bytes, 0, nullptr});
    return found != m_cached.end() && found->stream == stream ? found : m_cached.end();
}

} // namespace headroom::simulator
