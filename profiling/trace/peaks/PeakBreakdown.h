// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// The owners of the allocated bytes at the peak, of a trace that is processed event by event and not stored.
///
/// Constant work per event: an owner's bytes at the peak are saved when they first change after it, so that a new peak
/// costs nothing. (A log of changes since the last peak would be as fast on average but has to be kept.) Owners that
/// become known right after the peak, before the next allocation or free, count for it.
class PeakBreakdown {
public:
    /// Forgets the peak: what is allocated now is the peak until more is allocated.
    void restart();

    /// True if this event set a new maximum of allocated bytes since the start.
    bool add(const AllocatorEvent& event);

    Bytes peakBytes() const { return m_peakBytes; }
    /// Bytes of each owner at the peak, by its id; they sum to the peak. Ids at the end without any memory are omitted.
    std::vector<Bytes> atPeak() const;

    Bytes allocatedBytes() const { return m_allocatedBytes; }
    /// The same for the present.
    std::vector<Bytes> now() const;

private:
    struct Owned {
        Bytes now = 0;
        Bytes atPeak = 0; ///< saved at the peak with this number
        std::uint64_t peak = 0;
    };

    void change(OwnerId owner, Bytes bytes);
    bool reached();

    std::vector<Owned> m_owned;
    Bytes m_allocatedBytes = 0;
    Bytes m_peakBytes = 0;
    std::uint64_t m_peak = 1; ///< number of the present peak; 0: nothing was saved for it
    bool m_isAtPeak = true; ///< no block was allocated or freed since
};

} // namespace headroom::trace
