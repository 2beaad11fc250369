// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/BlockPool.h"

namespace headroom::simulator {

/// The two pools of an allocator: requests of a kind are served from the pool of that kind.
struct PoolPair {
    BlockPool& of(PoolKind kind) { return kind == PoolKind::Small ? small : large; }

    BlockPool small{PoolKind::Small};
    BlockPool large{PoolKind::Large};
};

} // namespace headroom::simulator
