// SPDX-License-Identifier: Apache-2.0
#include "ui/look/Symbols.h"

#include <QIconEngine>
#include <QPainter>

namespace headroom::ui {
namespace {

// Symbols are drawn in a square of 16 units.
void drawRun(QPainter& painter)
{
    painter.drawPolygon(QPolygonF({{4, 2.5}, {13.5, 8}, {4, 13.5}}));
}

void drawPause(QPainter& painter)
{
    painter.drawRect(QRectF(3.5, 3, 3.2, 10));
    painter.drawRect(QRectF(9.3, 3, 3.2, 10));
}

void drawStop(QPainter& painter)
{
    painter.drawRect(QRectF(3.5, 3.5, 9, 9));
}

// A bar under a limit.
void drawFit(QPainter& painter)
{
    painter.drawRect(QRectF(2, 2.5, 12, 1.6));
    painter.drawRect(QRectF(3, 8, 4, 6));
    painter.drawRect(QRectF(9, 6, 4, 8));
}

// A front of points, of which one is chosen.
void drawPlan(QPainter& painter)
{
    for (const QPointF& point : {QPointF(3.5, 12.5), QPointF(12.5, 3)})
        painter.drawEllipse(point, 1.4, 1.4);
    painter.drawEllipse(QPointF(6.5, 6.5), 2.4, 2.4);
    painter.setPen(QPen(painter.brush().color(), 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(6.5, 6.5), 4.4, 4.4);
}

void drawReport(QPainter& painter)
{
    painter.setPen(QPen(painter.brush().color(), 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(3.2, 1.8, 9.6, 12.4));
    for (const double y : {5.0, 8.0, 11.0})
        painter.drawLine(QPointF(5.5, y), QPointF(10.5, y));
}

void draw(ToolSymbol symbol, QPainter& painter)
{
    switch (symbol) {
    case ToolSymbol::Run:
        return drawRun(painter);
    case ToolSymbol::Pause:
        return drawPause(painter);
    case ToolSymbol::Stop:
        return drawStop(painter);
    case ToolSymbol::Fit:
        return drawFit(painter);
    case ToolSymbol::Plan:
        return drawPlan(painter);
    case ToolSymbol::Report:
        return drawReport(painter);
    }
}

class SymbolEngine : public QIconEngine {
public:
    SymbolEngine(ToolSymbol symbol, QColor colour, QColor disabled)
        : m_symbol(symbol)
        , m_colour(std::move(colour))
        , m_disabled(std::move(disabled))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / 16.0, rect.height() / 16.0);
        painter->setPen(Qt::NoPen);
        painter->setBrush(mode == QIcon::Disabled ? m_disabled : m_colour);
        draw(m_symbol, *painter);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new SymbolEngine(*this); }

private:
    ToolSymbol m_symbol;
    QColor m_colour;
    QColor m_disabled;
};

QColor colourOf(ToolSymbol symbol, const Theme& theme)
{
    switch (symbol) {
    case ToolSymbol::Run:
        return theme.good();
    case ToolSymbol::Stop:
        return theme.alarm();
    case ToolSymbol::Fit:
    case ToolSymbol::Plan:
        return theme.accent();
    case ToolSymbol::Pause:
    case ToolSymbol::Report:
        break;
    }
    return theme.ink();
}

} // namespace

QIcon icon(ToolSymbol symbol, const Theme& theme)
{
    QColor disabled = theme.muted();
    disabled.setAlphaF(0.5F);
    return QIcon(new SymbolEngine(symbol, colourOf(symbol, theme), disabled));
}

} // namespace headroom::ui
