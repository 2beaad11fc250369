// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/drawing/Canvas.h"

#include <string>

namespace headroom::figures {

/// How a drawing is written.
struct SvgTerms {
    std::string patterns; ///< with which the ids of its patterns begin
    double gridPx = 0.1; ///< curves are written in whole steps of it
};

/// Writes what is drawn as elements whose classes the style sheet colours; each mark is a group with its hover text as
/// the title.
class SvgCanvas : public Canvas {
public:
    SvgCanvas(XmlWriter& xml, SvgTerms terms);

    using Canvas::text;
    void open(const DrawnGroup& group) override;
    void close() override;
    void line(const Ink& ink, const Segment& segment) override;
    void path(const Ink& ink, const std::vector<Pixel>& points, Ends ends) override;
    void polygon(const Ink& ink, const std::vector<Pixel>& corners) override;
    void box(const Ink& ink, const Box& box) override;
    void circle(const Ink& ink, const Pixel& middle, double radius) override;
    void text(TextRole role, const PlacedText& text, Backing backing, const Look& look) override;

private:
    void openFocusable(const std::string& cssClass, const DrawnGroup& group);
    void writeHover(const DrawnGroup& group);

    XmlWriter& m_xml;
    SvgTerms m_terms;
};

/// A pattern for each category of the figure that has a texture.
void writePatterns(XmlWriter& xml, const std::string& patterns, const Figure& figure);

/// The same of all categories.
void writeAllPatterns(XmlWriter& xml, const std::string& patterns);

} // namespace headroom::figures
