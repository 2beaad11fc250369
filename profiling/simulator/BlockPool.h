// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/Block.h"
#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/SpareNodes.h"

#include <map>
#include <utility>

namespace headroom::simulator {

/// Free blocks of one kind (small or large): cached ones in best-fit order, unmapped ones in address order.
class BlockPool {
public:
    explicit BlockPool(PoolKind kind);
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    PoolKind kind() const { return m_kind; }

    void insert(Block& block);
    void insertUnmapped(Block& block);
    /// Removes a block from its order.
    void erase(Block& block);

    const FitOrder& cached() const { return m_cached; }
    /// The first block of `stream` with at least `bytes`; end() of cached() if there is none.
    FitOrder::const_iterator firstFit(Stream stream, Bytes bytes) const;

    /// Unmapped blocks of a stream in address order.
    using UnmappedOrder = std::map<std::pair<Stream, Address>, Block*>;
    UnmappedOrder::const_iterator firstUnmapped(Stream stream) const { return m_unmapped.lower_bound({stream, 0}); }
    const UnmappedOrder& unmapped() const { return m_unmapped; }

    /// A cached block ages with every search of its pool.
    void noteSearch() { ++m_searches; }
    std::int64_t age(const Block& block) const { return m_searches - block.cachedAtSearch; }

private:
    PoolKind m_kind;
    FitOrder m_cached;
    SpareNodes<FitOrder> m_spareNodes;
    UnmappedOrder m_unmapped;
    std::int64_t m_searches = 0;
};

/// The two pools of an allocator: each request is served from the pool of its kind.
struct PoolPair {
    BlockPool& of(PoolKind kind) { return kind == PoolKind::Small ? small : large; }

    BlockPool small{PoolKind::Small};
    BlockPool large{PoolKind::Large};
};

} // namespace headroom::simulator
