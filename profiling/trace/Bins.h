// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::trace {

/// A counter's values in [beginNs, endNs). `min` and `max` cover its value at the start and every change inside,
/// including values that lasted zero nanoseconds; `last` is its value at the end.
struct Bucket {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    Bytes min = 0;
    Bytes max = 0;
    Bytes last = 0;

    bool operator==(const Bucket&) const = default;
};

/// Consecutive bins of 2^shift nanoseconds; bin n is [n * 2^shift, (n + 1) * 2^shift). Bins are aligned to time zero,
/// so the bins of different tracks coincide, and zooming does not make a curve flicker.
struct BinRange {
    int shift = 0;
    std::int64_t first = 0; ///< number of the first bin
    std::size_t count = 0;

    std::int64_t beginNs() const;
    std::int64_t endNs() const; ///< exclusive; saturates at the largest time
    Bucket bucket(std::size_t index) const; ///< its interval, with values of 0

    /// The narrowest bins such that at most `width` cover [fromNs, toNs). There may be one more if even the widest need
    /// it: a single bin never spans time zero. Empty windows and a width of 0 are widened to 1.
    static BinRange covering(std::int64_t fromNs, std::int64_t toNs, std::size_t width);
    /// Bins of a given size covering [fromNs, toNs).
    static BinRange ofShift(int shift, std::int64_t fromNs, std::int64_t toNs);
};

inline constexpr int kMaxBinShift = 63;

/// Folds a counter's changes, added in order of time, into one bucket per bin of a range.
class BucketFold {
public:
    /// `before`: the value of the counter before the first added change.
    BucketFold(const BinRange& range, Bytes before);

    /// Adds a change, or a summary of changes inside one bin of `shift` (not above the range's). Changes before the
    /// range only set the value carried in; changes after it are ignored.
    void add(std::int64_t bin, int shift, Bytes min, Bytes max, Bytes last);
    void addPoint(std::int64_t timeNs, Bytes value) { add(timeNs, 0, value, value, value); }
    /// Sets the counter to a known value without a change, after a gap in the data.
    void carry(Bytes value) { m_carry = value; }

    /// One bucket per bin, including bins without a change.
    std::vector<Bucket> take();

private:
    void fillTo(std::size_t index);

    BinRange m_range;
    Bytes m_carry;
    std::vector<Bucket> m_buckets;
};

} // namespace headroom::trace
