// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

namespace headroom::ui {

/// All of a figure, as it stands in a file or on paper: lines and letters, no pixels.
void paintFigure(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

} // namespace headroom::ui
