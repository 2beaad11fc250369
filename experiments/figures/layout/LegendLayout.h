// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

namespace headroom::figures {

/// Puts the legend's entries into lines that begin at `top`; returns where they end (`top` for no entries).
double layOutLegend(const Figure& figure, double top, FigureLayout& layout);

} // namespace headroom::figures
