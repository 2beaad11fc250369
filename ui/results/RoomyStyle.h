// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace headroom::ui {

/// Fusion with padding on both sides of cells and headers, so that a number does not touch the text of the next column.
class RoomyStyle : public QProxyStyle {
    Q_OBJECT

public:
    RoomyStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    /// Of a header without the room for an arrow, which only the sorted column has: see `arrowRoom`.
    QSize sizeFromContents(
        ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override;
    void drawControl(
        ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;

    /// What the arrow of the sorted column takes of its header's width.
    int arrowRoom(const QWidget& header) const;
};

} // namespace headroom::ui
