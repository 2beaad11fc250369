// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/FigureCanvas.h"

#include <QScrollArea>

namespace headroom::ui {

/// Holds a canvas that fills it, and scrolls one that needs more height.
class FigureScroll : public QScrollArea {
    Q_OBJECT

public:
    explicit FigureScroll(FigureCanvas* canvas, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    FigureCanvas* m_canvas;
};

} // namespace headroom::ui
