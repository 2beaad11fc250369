// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

#include <cstddef>

namespace headroom::ui {

/// Paints for files and paper what QCustomPlot plots on the screen: bands, lines and marks.
class SeriesPainter {
public:
    SeriesPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    /// Bands, lines and the lines of references.
    void paintLines();
    /// Marks with their error bars and the rings of their flags.
    void paintMarks();

private:
    void paintBand(const figures::Band& band);
    void paintLine(const figures::Polyline& line);
    void paintReference(const figures::ReferenceLine& line);
    void paintErrors();
    void paintMark(const figures::Mark& mark);
    QPointF top(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.high)}; }
    QPointF bottom(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.low)}; }

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
};

} // namespace headroom::ui
