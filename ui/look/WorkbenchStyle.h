// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace headroom::ui {

/// Fusion, with outlines that can be seen on dark surfaces, too: Fusion makes them darker than the window.
class WorkbenchStyle : public QProxyStyle {
    Q_OBJECT

public:
    WorkbenchStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
};

} // namespace headroom::ui
