// SPDX-License-Identifier: Apache-2.0
#include "ui/look/CategoryBrush.h"

#include "experiments/figures/CategoryLook.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::ui {

QImage categoryTile(const figures::Palette& palette, std::size_t category, double scale)
{
    const int pixels = std::max(1, static_cast<int>(std::lround(figures::kTexturePx * scale)));
    QImage tile(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    tile.fill(QColor(QString::fromStdString(palette.categories.at(category % figures::kCategoryColours))));
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(pixels / figures::kTexturePx, pixels / figures::kTexturePx);
    QColor ink(QString::fromStdString(palette.onCategory));
    ink.setAlphaF(static_cast<float>(figures::kTextureOpacity));
    const figures::Texture texture = figures::textureOf(category);
    painter.setPen(QPen(ink, figures::kTextureLinePx));
    for (const figures::Segment& line : figures::linesOf(texture))
        painter.drawLine(QPointF(line.from.x, line.from.y), QPointF(line.to.x, line.to.y));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    for (const figures::Pixel& dot : figures::dotsOf(texture))
        painter.drawEllipse(QPointF(dot.x, dot.y), figures::kTextureDotPx, figures::kTextureDotPx);
    return tile;
}

QBrush categoryBrush(const figures::Palette& palette, std::size_t category, double scale)
{
    const QImage tile = categoryTile(palette, category, scale);
    QBrush brush(tile);
    const double back = figures::kTexturePx / tile.width();
    brush.setTransform(QTransform::fromScale(back, back));
    return brush;
}

} // namespace headroom::ui
