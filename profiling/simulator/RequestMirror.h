// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/SimulatedAllocator.h"

#include <memory>
#include <optional>
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
    /// Where the second allocator ran out of memory it ended there, with at least so much.
    Bytes peakReservedBytes() const;

private:
    std::unique_ptr<SimulatedAllocator> m_allocator;
    std::unordered_map<Address, Address> m_addresses; ///< of the first allocator's blocks
    std::optional<Bytes> m_neededBytes; ///< at least, where it ran out of memory
};

} // namespace headroom::simulator
