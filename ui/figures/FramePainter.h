// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

namespace headroom::ui {

/// Paints what stands around the data of a figure: words, legend, the names of axes, the strip of trials without a
/// place. The axes themselves are QCustomPlot's on the screen, and painted here for files.
class FramePainter {
public:
    FramePainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    void paintWords();
    /// Grid, lines and the words at ticks.
    void paintAxes();
    void paintStrip();

private:
    void paintTitle();
    void paintEmptyText();
    void paintLegend();
    void paintSymbol(const figures::LegendEntry& entry, const figures::Box& box);
    void paintGrid();
    void paintTickWords();

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
};

} // namespace headroom::ui
