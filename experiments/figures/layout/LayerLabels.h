// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

namespace headroom::figures {

/// Names layers inside themselves, where they are wide and high enough for the words and nothing else stands there.
/// To be called once all other words have their places.
void layOutLayerLabels(const Figure& figure, FigureLayout& layout);

} // namespace headroom::figures
