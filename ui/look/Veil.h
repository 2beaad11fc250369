// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QWidget>

namespace headroom::ui {

/// Dims a widget, which still can be used: what it shows is not about what is being set up. It covers the widget and
/// follows its size.
class Veil : public QWidget {
    Q_OBJECT

public:
    /// The covered widget owns it. It is hidden at first.
    Veil(Theme& theme, QWidget& covered);

    void setDrawn(bool isDrawn);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
};

} // namespace headroom::ui
