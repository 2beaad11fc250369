// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/FigureLayout.h"

#include <vector>

namespace headroom::figures {

/// Gives the marks of a layout (placed already) their labels, as far as there is room; returns how many found none.
std::size_t layOutMarkLabels(const Figure& figure, FigureLayout& layout);

} // namespace headroom::figures
