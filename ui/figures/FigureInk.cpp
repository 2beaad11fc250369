// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FigureInk.h"

#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/layout/TextMetrics.h"
#include "ui/look/CategoryBrush.h"

#include <QFontMetricsF>
#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::ui {
namespace {

/// Letters of the surface's colour around those that are read: quicker than a stroke, which frames have no time for.
constexpr std::array<QPointF, 8> kRim{{{1.5, 0}, {-1.5, 0}, {0, 1.5}, {0, -1.5}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};

QColor colour(const std::string& hex)
{
    return QColor(QString::fromStdString(hex));
}

double room(const std::string& text, Words words)
{
    switch (words) {
    case Words::Plain:
        return figures::textWidth(text, figures::kFontPx);
    case Words::Strong:
        return figures::boldTextWidth(text, figures::kFontPx);
    case Words::Title:
        return figures::boldTextWidth(text, figures::kTitlePx);
    }
    return 0;
}

double left(const figures::PlacedText& text, double width)
{
    switch (text.anchor) {
    case figures::TextAnchor::Start:
        return text.x;
    case figures::TextAnchor::Middle:
        return text.x - width / 2;
    case figures::TextAnchor::End:
        return text.x - width;
    }
    return text.x;
}

/// A text with a face in which it is no wider than the layout counts with.
struct Fitted {
    Fitted(const figures::PlacedText& text, Words words)
        : said(QString::fromStdString(text.text))
        , face(FigureInk::font(words))
    {
        double width = QFontMetricsF(face).horizontalAdvance(said);
        if (const double most = room(text.text, words); width > most && width > 0) {
            face.setStretch(std::clamp(static_cast<int>(std::floor(100 * most / width)), 50, 100));
            width = std::min(most, QFontMetricsF(face).horizontalAdvance(said));
        }
        at = {left(text, width), text.y};
    }

    QString said;
    QFont face;
    QPointF at; ///< where the base line begins
};

} // namespace

QPen dashed(const QColor& colour, double width, std::initializer_list<double> px)
{
    QPen pen(colour, width, Qt::CustomDashLine, Qt::FlatCap);
    QList<qreal> pattern;
    for (const double length : px)
        pattern.append(length / width);
    pen.setDashPattern(pattern);
    return pen;
}

FigureInk::FigureInk(const figures::Palette& palette)
    : m_palette(palette)
    , m_surface(colour(palette.surface))
    , m_ink(colour(palette.ink))
    , m_muted(colour(palette.muted))
    , m_grid(colour(palette.grid))
    , m_limit(colour(palette.budget))
{
    for (std::size_t i = 0; i < m_series.size(); ++i)
        m_series.at(i) = colour(palette.series.at(i));
}

QColor FigureInk::series(std::size_t index, double opacity) const
{
    QColor result = series(index);
    result.setAlphaF(static_cast<float>(opacity));
    return result;
}

const QColor& FigureInk::tickWords(const figures::Axis& axis) const
{
    return axis.scale == figures::Scale::Category ? m_ink : m_muted;
}

QColor FigureInk::fade() const
{
    QColor result = m_surface;
    result.setAlphaF(static_cast<float>(figures::kFade));
    return result;
}

QColor FigureInk::onCategory() const
{
    return colour(m_palette.onCategory);
}

QColor FigureInk::category(std::size_t index) const
{
    return colour(m_palette.categories.at(index % figures::kCategoryColours));
}

QImage FigureInk::tile(std::size_t category, double scale) const
{
    return categoryTile(m_palette, category, scale);
}

QBrush FigureInk::ground(std::size_t category, double scale) const
{
    return categoryBrush(m_palette, category, scale);
}

QPen FigureInk::frontPen(const figures::Look& look) const
{
    const QColor line = series(look.series, 0.75);
    return look.provenance != figures::Provenance::Measured ? dashed(line, 1.5, {5, 3}) : QPen(line, 1.5);
}

QPen FigureInk::counterPen(const figures::Look& look) const
{
    QPen pen =
        look.series % figures::kSeriesColours == 1 ? dashed(series(1), 1.5, {6, 3}) : QPen(series(look.series), 1.5);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

QPen FigureInk::linePen(const figures::Polyline& line) const
{
    return line.role == figures::LineRole::Counter ? counterPen(line.look) : frontPen(line.look);
}

QPen FigureInk::limitPen() const
{
    return dashed(m_limit, 1.5, {6, 4});
}

QPen FigureInk::emptyFramePen() const
{
    return dashed(m_muted, 1, {4, 4});
}

QPen FigureInk::ringPen(figures::Flag flag) const
{
    switch (flag) {
    case figures::Flag::Pressured:
        return dashed(m_ink, 1.4, {5, 2.5});
    case figures::Flag::NotSteady:
        return dashed(m_ink, 1.4, {1.4, 2.2});
    case figures::Flag::Implausible:
        return QPen(m_ink, 2);
    case figures::Flag::NoEffect:
        break;
    }
    return QPen(m_ink, 1.4);
}

QFont FigureInk::font(Words words)
{
    QFont font = QGuiApplication::font();
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(static_cast<int>(words == Words::Title ? figures::kTitlePx : figures::kFontPx));
    font.setWeight(words == Words::Plain ? QFont::Normal : QFont::DemiBold);
    font.setStretch(QFont::Unstretched);
    return font;
}

void FigureInk::write(QPainter& painter, const figures::PlacedText& text, const QColor& colour, Words words)
{
    const Fitted fitted(text, words);
    painter.setFont(fitted.face);
    painter.setPen(colour);
    painter.drawText(fitted.at, fitted.said);
}

void FigureInk::writeRimmed(
    QPainter& painter, const figures::PlacedText& text, const QColor& colour, const QColor& rim, Words words)
{
    const Fitted fitted(text, words);
    painter.setFont(fitted.face);
    painter.setPen(rim);
    for (const QPointF& way : kRim)
        painter.drawText(fitted.at + way, fitted.said);
    painter.setPen(colour);
    painter.drawText(fitted.at, fitted.said);
}

void FigureInk::writeGrounded(
    QPainter& painter, const figures::PlacedText& text, const QColor& colour, Words words) const
{
    const figures::Box box = text.box();
    painter.fillRect(QRectF(box.x - 2, box.y, box.width + 2, box.height), m_surface);
    write(painter, text, colour, words);
}

} // namespace headroom::ui
