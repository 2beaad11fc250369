// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/MarkPainter.h"
#include "ui/figures/PlotScene.h"

#include <QPainterPath>

namespace headroom::ui {

/// Paints what stands between the axes of a figure, from the back to the front.
class DataPainter {
public:
    /// `pictures`: see MarkPainter; none for what must stay vectors.
    DataPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter, MarkPictures* pictures);

    void paint();

private:
    void paintSpans();
    void paintLayers();
    void paintLayerLabels();
    bool mayBePixels(std::size_t values) const;
    void paintBands();
    void paintBand(const figures::Band& band);
    void paintLines();
    void paintReferences();
    void paintReferenceLabel(std::size_t reference, double at);
    void paintBars();
    void paintRowTexts();
    void paintLabels();
    QPointF top(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.high)}; }
    QPointF bottom(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.low)}; }

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
    MarkPictures* m_pictures;
};

/// All of a figure: what stands in a file.
void paintFigure(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

} // namespace headroom::ui
