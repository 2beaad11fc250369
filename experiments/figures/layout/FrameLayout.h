// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

#include <vector>

namespace headroom::figures {

/// As many of the x axis' ticks as have room beside each other, under a plot whose place is known.
std::vector<PlacedTick> layOutXTicks(const Axis& axis, const FigureLayout& layout);

/// The names of a category axis in the given room, px, in which those that differ still do.
std::vector<Tick> namesCut(std::vector<Tick> ticks, double room);

/// Puts the legend's entries into lines that begin at `top`; returns where they end (`top` for no entries).
double layOutLegend(const Figure& figure, double top, FigureLayout& layout);

inline constexpr std::size_t kMostStripRows = 8;

/// Puts the trials without a place on the plot under it, from `top` on; returns where they end (`top` for none).
/// The first ones, up to `mostRows`, have their label and reason in words; of a long strip the others have a symbol
/// each, beside the strip's title where there is room.
double layOutStrip(const Figure& figure, double top, FigureLayout& layout, std::size_t mostRows = kMostStripRows);

/// What a row of the strip takes.
double stripRowHeight(const FigureLayout& layout);

} // namespace headroom::figures
