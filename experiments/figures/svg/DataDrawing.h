// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>

namespace headroom::figures {

/// Writes what stands between the axes of a figure, from the back to the front.
class DataDrawing {
public:
    /// `id` is the drawing's, with which the ids of its patterns begin.
    DataDrawing(const Figure& figure, const FigureLayout& layout, std::string id, XmlWriter& xml);

    void draw();

private:
    void drawSpans();
    void drawLayers();
    void drawBands();
    void drawBand(const Band& band);
    void drawLines();
    void drawReferences();
    void drawBars();
    void drawRowTexts();
    void drawMarks();
    void drawMark(const Mark& mark, const PlacedMark& placed);
    void drawLabels();
    void drawLayerLabels();

    double x(double value) const { return m_layout.xOf(m_figure.x, value); }
    double y(double value) const { return m_layout.yOf(m_figure.y, value); }

    const Figure& m_figure;
    const FigureLayout& m_layout;
    std::string m_id;
    XmlWriter& m_xml;
};

} // namespace headroom::figures
