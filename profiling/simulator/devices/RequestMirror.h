// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/SimulatedAllocator.h"
#include "profiling/simulator/SpareNodes.h"

#include <memory>
#include <unordered_map>

namespace headroom::simulator {

/// A second allocator that receives the same requests as the first, to find out what would be reserved if the segments
/// were placed in the other order.
class RequestMirror {
public:
    explicit RequestMirror(std::unique_ptr<SimulatedAllocator> allocator);

    /// `original` is the address that the first allocator returned for `bytes`.
    void allocated(Address original, Bytes bytes);
    void freed(Address original);
    void emptyCache();
    void resetPeakStats();

    Bytes reservedBytes() const;
    /// A lower bound if the second allocator ran out of memory since the peak was reset. It continues without the block
    /// for which it had no room, like a run that survives a failure of the first allocator.
    Bytes peakReservedBytes() const;

private:
    std::unique_ptr<SimulatedAllocator> m_allocator;
    std::unordered_map<Address, Address> m_addresses; ///< of the first allocator's blocks
    SpareNodes<decltype(m_addresses)> m_spareNodes;
    Bytes m_neededBytes = 0; ///< at least, where it ran out of memory since the peak was reset
};

} // namespace headroom::simulator
