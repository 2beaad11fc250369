// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <vector>

namespace headroom::figures {

/// Gives the marks of a layout (placed already) their labels, as far as there is room; returns how many found none.
std::size_t layOutMarkLabels(const Figure& figure, FigureLayout& layout);

/// Names layers inside themselves, where they are wide and high enough for the words and nothing else stands there.
/// To be called once all other words have their places.
void layOutLayerLabels(const Figure& figure, FigureLayout& layout);

} // namespace headroom::figures
