// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

#include <vector>

namespace headroom::figures {

/// As many of the x axis' ticks as have room beside each other, under a plot whose place is known.
std::vector<PlacedTick> layOutXTicks(const Axis& axis, const FigureLayout& layout);

} // namespace headroom::figures
