// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentLayout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::ui {
namespace {

constexpr double kLeastBytesPerPx = 16;
constexpr double kCoarser = 1.08; ///< step of the search for the scale at which all fits

std::vector<std::size_t> orderOf(
    const trace::SegmentState& state, const std::vector<trace::SegmentUse>& uses, SegmentOrder order)
{
    std::vector<std::size_t> places(state.segments.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (order == SegmentOrder::Size)
        std::ranges::stable_sort(
            places, std::ranges::greater(), [&](std::size_t place) { return state.segments[place].bytes; });
    if (order == SegmentOrder::Stuck)
        std::ranges::stable_sort(
            places, std::ranges::greater(), [&](std::size_t place) { return uses[place].stuckBytes(); });
    return places;
}

} // namespace

double SegmentPiece::xOf(Bytes within) const
{
    const double share = static_cast<double>(within - begin) / static_cast<double>(std::max<Bytes>(bytes, 1));
    return box.left() + std::clamp(share, 0.0, 1.0) * box.width();
}

SegmentLayout::SegmentLayout(const trace::SegmentState& state, const std::vector<trace::SegmentUse>& uses,
    SegmentOrder order, const QSizeF& view, double zoom)
    : m_order(orderOf(state, uses, order))
{
    if (state.segments.empty() || view.width() < 2 * kLeastPx)
        return;
    m_bytesPerPx = scaleFor(state, view);
    const double most = std::floor(std::max(1.0, view.height() / kPitchPx));
    for (place(state, view.width()); static_cast<double>(m_rows) > most; place(state, view.width())) {
        const double before = m_bytesPerPx;
        m_bytesPerPx *= kCoarser;
        if (before * kLeastPx
            > static_cast<double>(std::ranges::max(state.segments, {}, &trace::HeldSegment::bytes).bytes))
            break; // each is as small as it can be
    }
    if (zoom > 1) {
        m_bytesPerPx = std::max(kLeastBytesPerPx, m_bytesPerPx / zoom);
        place(state, view.width());
    }
}

// As if rows were filled to their ends.
double SegmentLayout::scaleFor(const trace::SegmentState& state, const QSizeF& view)
{
    double bytes = 0;
    for (const trace::HeldSegment& segment : state.segments)
        bytes += static_cast<double>(segment.bytes);
    const double rows = std::floor(std::max(1.0, view.height() / kPitchPx));
    const double gaps = kGapPx * static_cast<double>(state.segments.size());
    const double px = std::max(rows * view.width() - gaps, rows * view.width() / 10);
    return std::max(kLeastBytesPerPx, bytes / px);
}

void SegmentLayout::place(const trace::SegmentState& state, double width)
{
    m_pieces.clear();
    double x = 0;
    std::size_t row = 0;
    for (const std::size_t segment : m_order) {
        const Bytes bytes = state.segments[segment].bytes;
        const double px = std::max(kLeastPx, static_cast<double>(bytes) / m_bytesPerPx);
        if (x > 0 && x + px > width) {
            x = 0;
            ++row;
        }
        for (Bytes begin = 0; begin < bytes;) {
            const double room = width - x;
            const Bytes rest = bytes - begin;
            const double wanted = std::max(kLeastPx, static_cast<double>(rest) / m_bytesPerPx);
            const bool isAll = wanted <= room;
            const Bytes part = isAll ? rest : std::max<Bytes>(static_cast<Bytes>(room * m_bytesPerPx), 1);
            const double top = static_cast<double>(row) * kPitchPx;
            m_pieces.push_back({segment, begin, part, QRectF(x, top, isAll ? wanted : room, kRowPx)});
            begin += part;
            x = isAll ? x + wanted + kGapPx : 0;
            row += isAll ? 0 : 1;
        }
    }
    m_rows = m_pieces.empty() ? 0 : static_cast<std::size_t>(m_pieces.back().box.top() / kPitchPx) + 1;
}

std::pair<std::size_t, std::size_t> SegmentLayout::between(double top, double bottom) const
{
    const auto topOf = [](const SegmentPiece& piece) { return piece.box.top(); };
    const auto first = std::ranges::lower_bound(m_pieces, top - kPitchPx, {}, topOf);
    const auto last = std::ranges::lower_bound(m_pieces, bottom, {}, topOf);
    return {static_cast<std::size_t>(first - m_pieces.begin()), static_cast<std::size_t>(last - m_pieces.begin())};
}

const SegmentPiece* SegmentLayout::at(const QPointF& place) const
{
    const auto [first, last] = between(place.y(), place.y() + 1);
    for (std::size_t i = first; i < last; ++i)
        if (m_pieces[i].box.adjusted(-1, 0, 1, kPitchPx - kRowPx).contains(place))
            return &m_pieces[i];
    return nullptr;
}

const SegmentPiece* SegmentLayout::firstOf(std::size_t segment) const
{
    const auto found = std::ranges::find(m_pieces, segment, &SegmentPiece::segment);
    return found == m_pieces.end() ? nullptr : &*found;
}

} // namespace headroom::ui
