// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/Bins.h"

#include <cstddef>
#include <vector>

namespace headroom::trace {

/// Summary of the changes inside one bin; bins without a change have no node.
struct PyramidNode {
    std::int64_t bin = 0; ///< covers [bin * 2^shift, (bin + 1) * 2^shift) nanoseconds, shift being the level's
    Bytes min = 0;
    Bytes max = 0;
    Bytes last = 0;

    bool operator==(const PyramidNode&) const = default;
};

struct PyramidLevel {
    int shift = 0; ///< log2 of the width of a bin in nanoseconds
    std::vector<PyramidNode> nodes; ///< in order of time
};

/// Level-of-detail summary of a counter: min, max and last per bin, at widths that quadruple from level to level.
///
/// Bins divide time, not a number of points: a node never smears a burst over the idle time beside it, and the number
/// of nodes in a window is bounded by its width alone. The finest level adapts while points arrive: it keeps at most
/// one node per 32 points (or 4,096), so appending is amortised O(1) and the whole takes about a byte per point. Not
/// synchronised: one thread appends and queries, or many only query.
class Pyramid {
public:
    /// `before`: value of the counter before the first point.
    explicit Pyramid(Bytes before = 0);

    /// Sets the counter to `value` at `timeNs`. A time earlier than the last one is replaced by it.
    void append(std::int64_t timeNs, Bytes value);

    /// At most `width` buckets that cover [fromNs, toNs), each exact for its own interval; the outer ones may extend
    /// beyond the window. O(width + log points). Buckets are never narrower than 2^finestShift() ns: below that, fold
    /// the points themselves.
    std::vector<Bucket> query(std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

    int finestShift() const { return m_levels.front().shift; }
    Bytes before() const { return m_before; }
    std::size_t points() const { return m_points; }
    /// All levels, finest first, complete up to the last point.
    std::vector<PyramidLevel> levels() const;

private:
    void close(std::size_t level);
    void dropFinest();
    std::size_t nodeLimit() const;
    void foldLevel(BucketFold& fold, std::size_t level, const BinRange& range) const;

    // The last node of each level is open: it is merged into the level above when a later bin begins.
    std::vector<PyramidLevel> m_levels;
    Bytes m_before;
    std::int64_t m_lastNs = 0;
    std::size_t m_points = 0;
};

/// Adds the nodes of a level to a fold: those of the range and the one before it, whose `last` is carried in.
void foldNodes(BucketFold& fold, const PyramidLevel& level, const BinRange& range);

} // namespace headroom::trace
