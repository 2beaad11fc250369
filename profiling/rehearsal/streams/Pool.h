// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Streams.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace headroom::rehearsal {

/// A piece of a pool's memory, in use or free.
struct PoolPart {
    std::size_t bytes = 0;
    bool isFree = true;
    std::uint32_t freedOn =
        0; ///< the stream that gave it back, as long as the host did not wait for it; 0: nobody has to wait
    std::int64_t freedNs = 0;
};

/// An amount and the most that it was.
struct PoolAmount {
    std::uint64_t current = 0;
    std::uint64_t high = 0;

    void add(std::size_t bytes)
    {
        current += bytes;
        high = std::max(high, current);
    }
};

/// A pool of cudaMallocAsync (Pools.h). Its functions need the locks of pools and of streams.
struct Pool {
    int device = 0;
    bool isDefault = false;
    std::size_t mostBytes = 0; ///< 0: the card's
    std::uint64_t releaseThreshold = 0;
    int followsEvents = 1;
    int isOpportunistic = 1;
    int addsDependencies = 1;
    PoolAmount reserved;
    PoolAmount used;
    std::map<std::uintptr_t, std::size_t> chunks;
    std::map<std::uintptr_t, PoolPart> parts; ///< of all chunks, without gaps within one

    /// What a request takes.
    static std::size_t partBytes(std::size_t bytes);
    /// 0 where the card has no more.
    std::uintptr_t take(std::size_t bytes, Stream& stream);
    void giveBack(std::uintptr_t address, const Stream& stream);
    /// The host waited: gives whole free chunks back while more than that is held.
    void trim(std::size_t keptBytes);

private:
    bool mayReuse(const PoolPart& part, const Stream& stream) const;
    std::map<std::uintptr_t, PoolPart>::iterator bestFit(std::size_t bytes, const Stream& stream);
    bool addChunk(std::size_t bytes);
    void join(std::map<std::uintptr_t, PoolPart>::iterator part);
    bool isSameChunk(std::uintptr_t left, std::uintptr_t right) const;
};

} // namespace headroom::rehearsal
