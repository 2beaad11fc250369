// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// Whose the allocated bytes were when they first were most, of a trace that is seen event by event and kept nowhere.
///
/// Constant work for each event: an owner's bytes at the peak are put aside when they first change after it, so that a
/// new peak costs nothing. (A log of changes since the last peak would be as fast on average, but has to be kept.)
/// What becomes known of the blocks right after the peak, before the next one comes or goes, counts for it.
class PeakBreakdown {
public:
    /// Forgets the peak: what is allocated now is one, until more is.
    void restart();

    /// True when more was allocated with this event than ever since the start.
    bool add(const AllocatorEvent& event);

    Bytes peakBytes() const { return m_peakBytes; }
    /// Bytes of each owner at the peak, by its id; they sum to the peak. Owners that never came are left out at the
    /// end.
    std::vector<Bytes> atPeak() const;

    Bytes allocatedBytes() const { return m_allocatedBytes; }
    /// The same of now.
    std::vector<Bytes> now() const;

private:
    struct Owned {
        Bytes now = 0;
        Bytes atPeak = 0; ///< put aside at the peak of this number
        std::uint64_t peak = 0;
    };

    void change(OwnerId owner, Bytes bytes);
    bool reached();

    std::vector<Owned> m_owned;
    Bytes m_allocatedBytes = 0;
    Bytes m_peakBytes = 0;
    std::uint64_t m_peak = 1; ///< its number; 0: none was put aside for
    bool m_isAtPeak = true; ///< no block came or went since
};

} // namespace headroom::trace
