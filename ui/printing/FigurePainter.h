// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"
#include "ui/printing/FigureStrokes.h"

#include <QPainter>

namespace headroom::ui {

/// Draws a figure with a painter from the layout that the report's SVG is drawn from. Qt's own SVG renderer knows
/// neither the patterns nor the style sheets of that drawing; lines and words stay such on paper this way.
class FigurePainter {
public:
    FigurePainter(const figures::Figure& figure, const figures::FigureLayout& layout, QPainter& painter);

    void draw();

private:
    void drawWords();
    void drawLegend();
    void drawSymbol(const figures::LegendEntry& entry, const figures::Box& box);
    void drawAxes();
    void drawSpans();
    void drawLayers();
    void drawLayerLabels();
    void drawBands();
    void drawLines();
    void drawReferences();
    void drawBars();
    void drawMarks();
    void drawMark(const figures::Mark& mark, const figures::PlacedMark& placed);
    void drawLabels();
    void drawStrip();

    double x(double value) const { return m_layout.xOf(m_figure.x, value); }
    double y(double value) const { return m_layout.yOf(m_figure.y, value); }

    const figures::Figure& m_figure;
    const figures::FigureLayout& m_layout;
    FigureStrokes m_strokes;
};

} // namespace headroom::ui
