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
    void drawControl(
        ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
};

} // namespace headroom::ui
