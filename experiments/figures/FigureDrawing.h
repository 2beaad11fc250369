// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/FigureLayout.h"
#include "experiments/figures/XmlWriter.h"

#include <string>

namespace headroom::figures {

/// Writes the elements of a figure that has been laid out, from the back to the front.
class FigureDrawing {
public:
    /// `id` begins the ids of patterns.
    FigureDrawing(const Figure& figure, const FigureLayout& layout, std::string id, XmlWriter& xml);

    void draw();

private:
    void drawHatches();
    void drawWords();
    void drawLegend();
    void drawSymbol(const LegendEntry& entry, const Box& box);
    void drawAxes();
    void drawSpans();
    void drawBands();
    void drawLines();
    void drawReferences();
    void drawBars();
    void drawBar(const Box& box, const Look& look);
    void drawRowTexts();
    void drawMarks();
    void drawMark(const Mark& mark, const PlacedMark& placed);
    void drawLabels();
    void drawStrip();
    void drawText(const std::string& cssClass, const PlacedText& text);
    void openFocusable(const std::string& cssClass, const std::string& id, const Hover& hover);

    double x(double value) const { return m_layout.xOf(m_figure.x, value); }
    double y(double value) const { return m_layout.yOf(m_figure.y, value); }

    const Figure& m_figure;
    const FigureLayout& m_layout;
    std::string m_id;
    XmlWriter& m_xml;
};

} // namespace headroom::figures
