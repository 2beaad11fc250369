// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

namespace headroom::ui {

/// Paints what stands around the data of a figure: words, legend, the words at axes, the strip of trials without a
/// place. Grid and axis lines are QCustomPlot's on the screen, and painted here for files.
class FramePainter {
public:
    FramePainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    void paintWords();
    void paintAxisLines();
    void paintStrip();

private:
    void paintTitle();
    void paintEmptyText();
    void paintLegend();
    void paintSymbol(const figures::LegendEntry& entry, const figures::Box& box);
    void paintAxisWords();

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
};

} // namespace headroom::ui
