// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Palette.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <QColor>
#include <QPainter>

namespace headroom::ui {

/// Draws the pieces of figures with a painter, in the units of their layout, as the report's drawings show them.
class FigureStrokes {
public:
    /// Of words that differ from others in size or weight.
    enum class Words { Plain, Strong, Title };

    FigureStrokes(QPainter& painter, figures::Palette palette);

    QColor ink() const { return colour(m_palette.ink); }
    QColor muted() const { return colour(m_palette.muted); }
    QColor grid() const { return colour(m_palette.grid); }
    QColor surface() const { return colour(m_palette.surface); }
    QColor limit() const { return colour(m_palette.budget); }
    QColor series(const figures::Look& look) const;

    void text(const figures::PlacedText& text, const QColor& colour, Words words = Words::Plain);
    /// On a piece of the surface, where lines would run through it.
    void groundedText(const figures::PlacedText& text, const QColor& colour);
    /// `dashes` in px; none: a solid line.
    void line(const figures::Segment& line, const QColor& colour, double width, const QList<double>& dashes = {});
    void path(const QPolygonF& path, const QColor& colour, double width, const QList<double>& dashes = {});
    void area(const QPolygonF& outline, QColor colour, double opacity);
    /// With the colour and the texture of a category.
    void ground(const QPolygonF& outline, const figures::Look& look);
    void labelOn(const figures::Look& ground, const figures::PlacedText& text);
    void box(const figures::Box& box, const QColor& fill, const QColor& outline);
    void shape(const figures::Look& look, const figures::Pixel& at, double radius);
    void ring(figures::Flag flag, const figures::Pixel& at, double radius);
    void errorBar(const QColor& colour, double x, double top, double bottom);
    /// A predicted one is hatched.
    void bar(const figures::Box& box, const figures::Look& look);

private:
    static QColor colour(const std::string& hex) { return QColor(QString::fromStdString(hex)); }
    void setPen(const QColor& colour, double width, const QList<double>& dashes);
    void hatch(const figures::Box& box, const QColor& colour);

    QPainter& m_painter;
    figures::Palette m_palette;
};

} // namespace headroom::ui
