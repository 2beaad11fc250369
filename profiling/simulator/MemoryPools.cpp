// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/MemoryPools.h"

#include "core/base/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::simulator {

namespace {

constexpr const char* kMemoryPoolsWhere = "the simulated caching allocator";

} // namespace

PoolPair::PoolPair(MempoolId id, MempoolOptions poolOptions)
    : options(poolOptions)
    , small(PoolKind::Small, id, poolOptions.splitting)
    , large(PoolKind::Large, id, poolOptions.splitting)
{
}

MemoryPools::MemoryPools()
    : m_defaults(kDefaultMempool, {})
{
}

BlockPool& MemoryPools::route(PoolKind kind, Stream stream)
{
    for (const Route& route : m_routes) {
        if (!route.stream || *route.stream == stream)
            return existing(route.id).of(kind);
    }
    return m_defaults.of(kind);
}

MempoolId MemoryPools::create(MempoolOptions options)
{
    const MempoolId id = m_nextId++;
    m_privates.emplace(id, std::make_unique<PoolPair>(id, options));
    return id;
}

void MemoryPools::beginRoute(MempoolId id, std::optional<Stream> stream)
{
    if (existing(id).isReleased)
        throw Error(fmt::format("memory pool {} is released", id), kMemoryPoolsWhere, "a pool that is not released");
    m_routes.push_back({id, stream});
}

void MemoryPools::endRoute(MempoolId id)
{
    const auto route =
        std::find_if(m_routes.begin(), m_routes.end(), [id](const Route& open) { return open.id == id; });
    if (route == m_routes.end())
        throw Error(
            fmt::format("nothing is routed to memory pool {}", id), kMemoryPoolsWhere, "a pool with an open route");
    m_routes.erase(route);
}

void MemoryPools::release(MempoolId id)
{
    if (std::any_of(m_routes.begin(), m_routes.end(), [id](const Route& open) { return open.id == id; }))
        throw Error(fmt::format("memory pool {} is still routed to", id), kMemoryPoolsWhere, "end its route first");
    existing(id).isReleased = true;
    dropEmpty();
}

void MemoryPools::dropEmpty()
{
    std::erase_if(
        m_privates, [](const auto& entry) { return entry.second->isReleased && entry.second->deviceBytes() == 0; });
}

PoolPair& MemoryPools::existing(MempoolId id)
{
    const auto pool = m_privates.find(id);
    if (pool == m_privates.end())
        throw Error(
            fmt::format("no memory pool {}", id), kMemoryPoolsWhere, "a pool made by createPool() and not gone");
    return *pool->second;
}

} // namespace headroom::simulator
