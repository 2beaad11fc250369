// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/drawing/Canvas.h"
#include "experiments/figures/drawing/PlotScene.h"

#include <vector>

namespace headroom::figures {

/// Draws a figure, from the back to the front.
class FigureDrawing {
public:
    /// Whether all of it is drawn, or what stands beside a plot that has axes, lines and marks of its own. While those
    /// move, all of it goes with the data.
    enum class Share { All, BesidePlot };

    FigureDrawing(const PlotScene& scene, Canvas& canvas, Share share = Share::All);

    void drawAll();
    /// Words and legend around the data, the axes, and what stands in the place of the data.
    void drawFrame();
    /// Behind the lines: spans, and the layers of a stack.
    void drawGround();
    void drawLines();
    /// Between lines and marks: names of layers, references, bars and the words at them.
    void drawRows();
    void drawMarks();
    /// The labels of marks.
    void drawLabels();
    /// Trials without a place.
    void drawStrip();

private:
    bool isWhole() const { return m_share == Share::All; }
    void drawEmpty();
    void drawLegend();
    void drawSymbol(const LegendEntry& entry, const Box& box);
    void drawAxes();
    void drawAxisLabels();
    void drawSpans();
    void drawLayers();
    void drawBand(const Band& band);
    void drawLayerLabels();
    void drawReferences();
    void drawBars();
    void drawRowTexts();
    void drawRowText(std::size_t row);
    void drawMark(const Mark& mark, const PlacedMark& placed);
    Pixel top(const BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.high)}; }
    Pixel bottom(const BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.low)}; }
    std::vector<Pixel> upperEdge(const std::vector<BandPoint>& points) const;
    std::vector<Pixel> downToTheAxis(std::vector<Pixel> edge) const;

    const PlotScene& m_scene;
    const Figure& m_figure;
    Canvas& m_canvas;
    Share m_share;
    bool m_isAtRest; ///< everything is where it was laid out
};

} // namespace headroom::figures
