// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigureScroll.h"

namespace headroom::ui {

FigureScroll::FigureScroll(FigureCanvas* canvas, QWidget* parent)
    : QScrollArea(parent)
    , m_canvas(canvas)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setWidget(canvas);
}

QSize FigureScroll::sizeHint() const
{
    return {720, 480};
}

void FigureScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    m_canvas->setRoom({static_cast<double>(viewport()->width()), static_cast<double>(viewport()->height())});
}

} // namespace headroom::ui
