// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/DeviceStats.h"

#include <cstdint>

namespace headroom::simulator {

enum class HostMemory : std::uint8_t { Pageable, Pinned };

/// Host memory that techniques use on purpose (offload, EMA), with pinned and pageable memory separate.
///
/// Pinned bytes are rounded up to a power of two, as LibTorch's pinned allocator does
/// (ATen/core/CachingHostAllocator.h); pageable ones are exact.
class HostPool {
public:
    /// The bytes that a request of this size occupies.
    static Bytes occupiedBytes(HostMemory kind, Bytes requestedBytes);

    /// Adds a request; 0 bytes are ignored. Throws Error if negative.
    void allocate(HostMemory kind, Bytes requestedBytes);
    /// Removes a request of the same size. Throws Error if fewer bytes are held.
    void free(HostMemory kind, Bytes requestedBytes);

    /// Occupied bytes over time; `allocated` and `freed` are running sums.
    const Stat& bytes(HostMemory kind) const { return counters(kind).occupied; }
    const Stat& requestedBytes(HostMemory kind) const { return counters(kind).requested; }
    /// Requests over time: there must be no pinned ones in a steady state.
    const Stat& allocations(HostMemory kind) const { return counters(kind).requests; }

    void resetPeaks();

private:
    struct Counters {
        Stat occupied;
        Stat requested;
        Stat requests;
    };

    const Counters& counters(HostMemory kind) const { return kind == HostMemory::Pinned ? m_pinned : m_pageable; }
    Counters& counters(HostMemory kind) { return kind == HostMemory::Pinned ? m_pinned : m_pageable; }

    Counters m_pinned;
    Counters m_pageable;
};

} // namespace headroom::simulator
