// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>

namespace headroom::figures {

/// How a drawing is written.
struct DrawingTerms {
    std::string patterns; ///< with which the ids of its patterns begin
    double gridPx = 0.1; ///< curves are written in whole steps of it
};

/// Writes what stands between the axes of a figure, from the back to the front.
class DataDrawing {
public:
    DataDrawing(const Figure& figure, const FigureLayout& layout, DrawingTerms terms, XmlWriter& xml);

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
    DrawingTerms m_terms;
    XmlWriter& m_xml;
};

} // namespace headroom::figures
