// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Box.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/Palette.h"
#include "experiments/figures/drawing/PlotScene.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPen>
#include <QRectF>

#include <array>

namespace headroom::ui {

using figures::FigurePtr;
using figures::PlotScene;
using figures::sceneOf;

inline QPointF pointF(const figures::Pixel& pixel)
{
    return {pixel.x, pixel.y};
}

inline QRectF rectF(const figures::Box& box)
{
    return {box.x, box.y, box.width, box.height};
}

/// Regular or semibold words, and how large.
enum class Words { Plain, Strong, Title };

/// Colours, strokes and words of figures, as the style sheet of their SVG has them.
class FigureInk {
public:
    explicit FigureInk(const figures::Palette& palette);

    const QColor& surface() const { return m_surface; }
    const QColor& ink() const { return m_ink; }
    const QColor& muted() const { return m_muted; }
    const QColor& grid() const { return m_grid; }
    /// Of numbers at an axis, or of the names of rows.
    const QColor& tickWords(const figures::Axis& axis) const;
    const QColor& limit() const { return m_limit; }
    const QColor& series(std::size_t index) const { return m_series.at(index % m_series.size()); }
    QColor series(std::size_t index, double opacity) const;
    /// What lies below a counter, and between its least and its most.
    QColor under(std::size_t index) const { return series(index, 0.12); }
    QColor spread(std::size_t index) const { return series(index, 0.3); }

    /// Over what was not held all the time.
    QColor fade() const;
    QColor onCategory() const;
    QColor category(std::size_t index) const;
    /// What fills the ground of a category; a tile has `scale` pixels a px.
    QImage tile(std::size_t category, double scale) const;
    QBrush ground(std::size_t category, double scale) const;

    QPen frontPen(const figures::Look& look) const;
    QPen counterPen(const figures::Look& look) const;
    QPen linePen(const figures::Polyline& line) const;
    QPen limitPen() const;
    QPen emptyFramePen() const;
    QPen ringPen(figures::Flag flag) const;

    static QFont font(Words words = Words::Plain);
    /// Never wider than the layout counts with.
    static void write(QPainter& painter, const figures::PlacedText& text, const QColor& colour, Words words = {});
    /// With a rim of what they stand on, so that they can be read on lines.
    static void writeRimmed(
        QPainter& painter, const figures::PlacedText& text, const QColor& colour, const QColor& rim, Words words);
    /// Words that lines would run through stand on a piece of the surface.
    void writeGrounded(
        QPainter& painter, const figures::PlacedText& text, const QColor& colour, Words words = {}) const;

private:
    figures::Palette m_palette;
    QColor m_surface;
    QColor m_ink;
    QColor m_muted;
    QColor m_grid;
    QColor m_limit;
    std::array<QColor, figures::kSeriesColours> m_series;
};

/// A stroke of dashes given in px.
QPen dashed(const QColor& colour, double width, std::initializer_list<double> px);

} // namespace headroom::ui
