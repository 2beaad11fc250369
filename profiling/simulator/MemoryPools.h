// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/BlockPool.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::simulator {

/// A small and a large pool that belong together.
struct PoolPair {
    PoolPair(MempoolId id, MempoolOptions poolOptions);

    BlockPool& of(PoolKind kind) { return kind == PoolKind::Small ? small : large; }
    Bytes deviceBytes() const { return small.deviceBytes() + large.deviceBytes(); }

    MempoolOptions options;
    bool isReleased = false; ///< nobody allocates from it any more: its cached memory may go back
    BlockPool small;
    BlockPool large;
};

/// The default pools, private pools, and which requests are routed to which.
class MemoryPools {
public:
    MemoryPools();

    /// The pool for a request: the first route whose stream matches, else the default pools.
    BlockPool& route(PoolKind kind, Stream stream);

    MempoolId create(MempoolOptions options);
    void beginRoute(MempoolId id, std::optional<Stream> stream);
    void endRoute(MempoolId id);
    void release(MempoolId id);

    PoolPair& defaults() { return m_defaults; }
    /// Private pools in order of creation.
    std::map<MempoolId, std::unique_ptr<PoolPair>>& privates() { return m_privates; }
    /// Forgets released pools that hold no device memory.
    void dropEmpty();

private:
    struct Route {
        MempoolId id;
        std::optional<Stream> stream;
    };

    PoolPair& existing(MempoolId id);

    PoolPair m_defaults;
    std::map<MempoolId, std::unique_ptr<PoolPair>> m_privates;
    std::vector<Route> m_routes;
    MempoolId m_nextId = 1;
};

} // namespace headroom::simulator
