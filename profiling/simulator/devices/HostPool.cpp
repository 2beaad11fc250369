// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/HostPool.h"

#include "core/base/Error.h"

#include <fmt/format.h>

#include <bit>

namespace headroom::simulator {

namespace {

constexpr const char* kHostPoolWhere = "the simulated host pool";

void requireNotNegative(Bytes bytes)
{
    if (bytes < 0)
        throw Error(fmt::format("a request of {} bytes", bytes), kHostPoolWhere, "0 bytes or more");
}

} // namespace

Bytes HostPool::occupiedBytes(HostMemory kind, Bytes requestedBytes)
{
    if (kind == HostMemory::Pageable || requestedBytes == 0)
        return requestedBytes;
    return static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(requestedBytes)));
}

void HostPool::allocate(HostMemory kind, Bytes requestedBytes)
{
    requireNotNegative(requestedBytes);
    if (requestedBytes == 0)
        return;
    Counters& counter = counters(kind);
    counter.occupied.increase(occupiedBytes(kind, requestedBytes));
    counter.requested.increase(requestedBytes);
    counter.requests.increase(1);
}

void HostPool::free(HostMemory kind, Bytes requestedBytes)
{
    requireNotNegative(requestedBytes);
    if (requestedBytes == 0)
        return;
    Counters& counter = counters(kind);
    if (counter.requested.current < requestedBytes || counter.requests.current == 0)
        throw Error(fmt::format("{} bytes given back, {} held", requestedBytes, counter.requested.current),
            kHostPoolWhere, "a request that was counted in before");
    counter.occupied.decrease(occupiedBytes(kind, requestedBytes));
    counter.requested.decrease(requestedBytes);
    counter.requests.decrease(1);
}

void HostPool::resetPeaks()
{
    for (Counters* counter : {&m_pinned, &m_pageable}) {
        counter->occupied.resetPeak();
        counter->requested.resetPeak();
        counter->requests.resetPeak();
    }
}

} // namespace headroom::simulator
