// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/SegmentState.h"

#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::ui {

/// In which order segments are laid out.
enum class SegmentOrder { Address, Size, Stuck };

/// One row's part of a segment. Most segments are one piece; what is longer than a row goes on in the next one.
struct SegmentPiece {
    std::size_t segment = 0; ///< its place in the state
    Bytes begin = 0; ///< within the segment
    Bytes bytes = 0;
    QRectF box; ///< in px from the top left of the whole picture

    bool isFirst() const { return begin == 0; }
    /// In px: where a byte of the segment lies.
    double xOf(Bytes within) const;
};

/// Segments side by side in rows, all to one scale, so that equal areas are equal memory. A segment that fits into a
/// row is never broken.
class SegmentLayout {
public:
    static constexpr double kRowPx = 16;
    static constexpr double kPitchPx = 21; ///< from row to row
    static constexpr double kGapPx = 4; ///< between segments of a row
    static constexpr double kLeastPx = 3; ///< of a segment, however small

    SegmentLayout() = default;
    /// `zoom`: 1 for as large as all of it has room in `view`, more for larger.
    SegmentLayout(const trace::SegmentState& state, const std::vector<trace::SegmentUse>& uses, SegmentOrder order,
        const QSizeF& view, double zoom);

    const std::vector<SegmentPiece>& pieces() const { return m_pieces; } ///< row by row
    std::size_t rows() const { return m_rows; }
    double height() const { return static_cast<double>(m_rows) * kPitchPx; }
    double bytesPerPx() const { return m_bytesPerPx; }

    /// The pieces of the rows between two heights.
    std::pair<std::size_t, std::size_t> between(double top, double bottom) const;
    const SegmentPiece* at(const QPointF& place) const;
    /// Its first piece; null if there is no such segment.
    const SegmentPiece* firstOf(std::size_t segment) const;
    /// The segments in the order in which they lie.
    const std::vector<std::size_t>& order() const { return m_order; }

private:
    void place(const trace::SegmentState& state, double width);
    static double scaleFor(const trace::SegmentState& state, const QSizeF& view);

    std::vector<std::size_t> m_order;
    std::vector<SegmentPiece> m_pieces;
    std::size_t m_rows = 0;
    double m_bytesPerPx = 1;
};

} // namespace headroom::ui
