// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>

namespace headroom::ui {

/// What a plot has of the view that it is in, at least; a little more than three fifths, since borders are part of it.
inline constexpr double kPlotShare = 0.62;

/// How many px of a room's width or height what stands beside or below a plot may have, so that the plot keeps its
/// share of the view; negative where even the whole room is less than that. The room is the part of the view that both
/// share.
inline int mostBeside(const QSize& view, const QSize& room, Qt::Orientation direction)
{
    const bool isBeside = direction == Qt::Horizontal;
    const int across = isBeside ? room.height() : room.width();
    const double plot = kPlotShare * view.width() * view.height() / (across > 0 ? across : 1);
    return static_cast<int>((isBeside ? room.width() : room.height()) - plot);
}

} // namespace headroom::ui
