// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>

namespace headroom::figures {

/// Writes what stands around the data of a figure: words, legend, axes, the strip of trials without a place.
class FrameDrawing {
public:
    /// The ids of the patterns begin with `patterns`.
    FrameDrawing(const Figure& figure, const FigureLayout& layout, std::string patterns, XmlWriter& xml);

    /// What lies behind the data.
    void draw();
    void drawStrip();

private:
    void drawWords();
    void drawLegend();
    void drawSymbol(const LegendEntry& entry, const Box& box);
    void drawAxes();

    const Figure& m_figure;
    const FigureLayout& m_layout;
    std::string m_patterns;
    XmlWriter& m_xml;
};

} // namespace headroom::figures
