// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/SimulatedAllocator.h"

#include <memory>
#include <unordered_map>

namespace headroom::simulator {

/// A second allocator that gets the same requests as a first one, to see what it makes of them: what would be reserved,
/// had the segments lain in the other order.
class RequestMirror {
public:
    explicit RequestMirror(std::unique_ptr<SimulatedAllocator> allocator);

    /// `original` is what the first allocator has given for `bytes`.
    void allocated(Address original, Bytes bytes);
    void freed(Address original);
    void emptyCache();
    void resetPeakStats();

    Bytes reservedBytes() const;
    /// Where the second allocator ran out of memory since the peak was reset: at least so much. It goes on without the
    /// block that it had no room for, as a run does that survives the first one's failure.
    Bytes peakReservedBytes() const;

private:
    std::unique_ptr<SimulatedAllocator> m_allocator;
    std::unordered_map<Address, Address> m_addresses; ///< of the first allocator's blocks
    Bytes m_neededBytes = 0; ///< at least, where it ran out of memory since the peak was reset
};

} // namespace headroom::simulator
