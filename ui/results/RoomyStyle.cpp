// SPDX-License-Identifier: Apache-2.0
#include "ui/results/RoomyStyle.h"

#include <QStyleOption>

namespace headroom::ui {

RoomyStyle::RoomyStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

int RoomyStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    const int usual = QProxyStyle::pixelMetric(metric, option, widget);
    const int room = widget != nullptr ? widget->fontMetrics().averageCharWidth() : usual;
    if (metric == PM_HeaderMargin)
        return room + 1;
    return metric == PM_FocusFrameHMargin ? room : usual; // the style adds 1 to it
}

// The margin of a header is for its sides: above and below the text it would cut letters where rows need the room.
QRect RoomyStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    QRect rect = QProxyStyle::subElementRect(element, option, widget);
    if (element == SE_HeaderLabel) {
        rect.setTop(option->rect.top());
        rect.setBottom(option->rect.bottom());
    }
    return rect;
}

} // namespace headroom::ui
