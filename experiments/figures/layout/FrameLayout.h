// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

#include <vector>

namespace headroom::figures {

/// As many of the x axis' ticks as have room beside each other, under a plot whose place is known.
std::vector<PlacedTick> layOutXTicks(const Axis& axis, const FigureLayout& layout);

/// Puts the legend's entries into lines that begin at `top`; returns where they end (`top` for no entries).
double layOutLegend(const Figure& figure, double top, FigureLayout& layout);

/// Puts the trials without a place on the plot under it, from `top` on; returns where they end (`top` for none).
/// The first ones have their label and reason in words; of a long strip the others have a symbol each.
double layOutStrip(const Figure& figure, double top, FigureLayout& layout);

} // namespace headroom::figures
