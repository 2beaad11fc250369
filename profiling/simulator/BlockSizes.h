// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/Stream.h"
#include "profiling/trace/AllocatorEvent.h"

#include <cstdint>
#include <map>

namespace headroom::simulator {

/// Finds how large the blocks of PyTorch's caching allocator are from a trace that only tells what was asked for, as
/// the trace entries of a real device do.
///
/// A block is as large as its request, rounded, or, if the rest would be too small to be of use, as the whole free
/// block that was found (its slack is up to 1 MiB, or any size above max_split_size). A request gets the front of a
/// free block, and free neighbours in a segment are always one block: so the block that was found reaches from the
/// address of the request to the next block in use, or to the end of the segment, and the allocator's own rule decides.
/// That is exact if the trace begins with everything that lives and has all events.
class BlockSizes {
public:
    explicit BlockSizes(const AllocatorSettings& settings);

    /// An event of livingEvents(): the sizes in it are true.
    void adopt(const trace::AllocatorEvent& living);

    /// An event whose `requestedBytes` are true, and of a segment also `bytes`. Returns it with the block's size.
    trace::AllocatorEvent sized(const trace::AllocatorEvent& told);

    /// Blocks so far that do not fit in what is known of segments and other blocks, as after lost events. Their sizes
    /// are the rounded requests.
    std::int64_t misfits() const { return m_misfits; }

private:
    struct Segment {
        Bytes bytes = 0;
        bool isExpandable = false;
    };

    Bytes sizeOfNew(Address address, Bytes requestedBytes);
    Bytes sizeOfKnown(Address address, Bytes requestedBytes) const;
    Bytes roomAt(Address address) const;
    Address endOfMapped(Address address) const;
    void follow(const trace::AllocatorEvent& event);
    void removeMemory(Address begin, Bytes bytes);
    void removeBlocks(Address begin, Address end);

    AllocatorSettings m_settings;
    std::map<Address, Segment> m_segments; ///< stretches of expandable ones as they were mapped
    std::map<Address, Bytes> m_blocks; ///< in use, or waiting for a stream
    std::int64_t m_misfits = 0;
};

} // namespace headroom::simulator
