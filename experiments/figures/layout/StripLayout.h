// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

namespace headroom::figures {

/// Puts the trials without a place on the plot under it, from `top` on; returns where they end (`top` for none).
/// The first ones have their label and reason in words; of a long strip the others have a symbol each.
double layOutStrip(const Figure& figure, double top, FigureLayout& layout);

} // namespace headroom::figures
