// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::trace {

/// What a counter did in [beginNs, endNs). `min` and `max` cover the value it came in with and every change inside,
/// those that lasted zero nanoseconds included; `last` is the value it leaves with.
struct Bucket {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    Bytes min = 0;
    Bytes max = 0;
    Bytes last = 0;

    bool operator==(const Bucket&) const = default;
};

/// Consecutive bins of 2^shift nanoseconds; bin n is [n * 2^shift, (n + 1) * 2^shift). Bins are aligned to time zero,
/// so those of different tracks coincide, and zooming does not make a curve flicker.
struct BinRange {
    int shift = 0;
    std::int64_t first = 0; ///< number of the first bin
    std::size_t count = 0;

    std::int64_t beginNs() const;
    std::int64_t endNs() const; ///< exclusive; saturates at the largest time
    Bucket bucket(std::size_t index) const; ///< its interval, with values of 0

    /// The narrowest bins of which at most `width` cover [fromNs, toNs). One more where even that many cannot: a single
    /// bin never reaches across time zero. Empty windows and a width of 0 are widened to 1.
    static BinRange covering(std::int64_t fromNs, std::int64_t toNs, std::size_t width);
    /// Bins of a given size covering [fromNs, toNs).
    static BinRange ofShift(int shift, std::int64_t fromNs, std::int64_t toNs);
};

inline constexpr int kMaxBinShift = 63;

/// Folds a counter's changes, fed in order of time, into one bucket per bin of a range.
class BucketFold {
public:
    /// `before`: the value of the counter before the first change that will be fed.
    BucketFold(const BinRange& range, Bytes before);

    /// A change, or a summary of changes inside one bin of `shift` (not above the range's). What lies before the range
    /// only sets the value carried in; what lies behind it is ignored.
    void add(std::int64_t bin, int shift, Bytes min, Bytes max, Bytes last);
    void addPoint(std::int64_t timeNs, Bytes value) { add(timeNs, 0, value, value, value); }
    /// Puts the counter to a known value without a change: after a gap in the data.
    void carry(Bytes value) { m_carry = value; }

    /// One bucket per bin, those without a change included.
    std::vector<Bucket> take();

private:
    void fillTo(std::size_t index);

    BinRange m_range;
    Bytes m_carry;
    std::vector<Bucket> m_buckets;
};

} // namespace headroom::trace
