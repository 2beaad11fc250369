// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/drawing/Canvas.h"
#include "ui/figures/FigureInk.h"

#include <QPainterPath>

#include <vector>

namespace headroom::ui {

/// How a shape is drawn. Measured: filled. Predicted: hollow and dashed.
struct ShapeInk {
    QPen pen;
    QBrush brush;
};
ShapeInk shapeInk(const FigureInk& ink, const figures::Look& look, figures::Outline outline);

QPainterPath shapePath(figures::Shape shape, double radius);

/// Around a shape: round, or square for what is implausible.
QPainterPath ringPath(figures::Flag flag, double radius);

/// Paints what is drawn: lines and letters, no pixels.
class PainterCanvas : public figures::Canvas {
public:
    PainterCanvas(const FigureInk& ink, QPainter& painter);

    using Canvas::text;
    void open(const figures::DrawnGroup& group) override;
    void close() override;
    void line(const figures::Ink& ink, const figures::Segment& segment) override;
    void path(const figures::Ink& ink, const std::vector<figures::Pixel>& points, figures::Ends ends) override;
    void polygon(const figures::Ink& ink, const std::vector<figures::Pixel>& corners) override;
    void box(const figures::Ink& ink, const figures::Box& box) override;
    void circle(const figures::Ink& ink, const figures::Pixel& middle, double radius) override;
    void text(figures::TextRole role, const figures::PlacedText& text, figures::Backing backing,
        const figures::Look& look) override;

private:
    void setPenAndBrush(const figures::Ink& ink);
    QPen penOf(const figures::Ink& ink) const;
    QBrush brushOf(const figures::Ink& ink) const;
    void paintBar(const QRectF& area, const figures::Look& look);

    const FigureInk& m_ink;
    QPainter& m_painter;
    std::vector<bool> m_isMoved; ///< of each open group: whether it has a place of its own
};

/// All of a figure, as it stands in a file or on paper.
void paintFigure(const figures::PlotScene& scene, const FigureInk& ink, QPainter& painter);

} // namespace headroom::ui
