// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/Bins.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/Peak.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// Reserved minus allocated bytes over time, block by block: what a caching allocator holds and nobody uses.
class UnusedMemory {
public:
    /// [fromNs, toNs) in at most `width` buckets.
    UnusedMemory(std::int64_t fromNs, std::int64_t toNs, std::size_t width);

    /// Processes the next block of the trace.
    void visit(const EventBlockHeader& header, std::span<const AllocatorEvent> events);

    /// The maximum in the window and when it was first reached; the value at the window's start counts.
    Peak peak() const { return m_peak; }
    /// Must be the last call.
    std::vector<Bucket> take() { return m_fold.take(); }

private:
    void look(std::int64_t timeNs, Bytes unused);

    std::int64_t m_fromNs;
    std::int64_t m_toNs;
    BucketFold m_fold;
    Peak m_peak;
    bool m_hasBegun = false;
};

} // namespace headroom::trace
