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

QSize RoomyStyle::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const
{
    const auto* header = type == CT_HeaderSection ? qstyleoption_cast<const QStyleOptionHeader*>(option) : nullptr;
    if (header == nullptr)
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    QStyleOptionHeader unsorted = *header;
    unsorted.version = QStyleOptionHeader::Version;
    unsorted.sortIndicator = QStyleOptionHeader::None; // QHeaderView asks for it in every column
    return QProxyStyle::sizeFromContents(type, &unsorted, size, widget);
}

// As QCommonStyle takes it from the label.
int RoomyStyle::arrowRoom(const QWidget& header) const
{
    return header.height() / 2 + pixelMetric(PM_HeaderMargin, nullptr, &header);
}

// The margin of a header is for its sides: above and below the text it would cut letters where rows need the room.
void RoomyStyle::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const auto* label = element == CE_HeaderLabel ? qstyleoption_cast<const QStyleOptionHeader*>(option) : nullptr;
    if (label == nullptr)
        return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionHeader taller = *label;
    const int margin = pixelMetric(PM_HeaderMargin, option, widget);
    taller.version = QStyleOptionHeader::Version;
    taller.rect.adjust(0, -margin, 0, margin);
    QProxyStyle::drawControl(element, &taller, painter, widget);
}

} // namespace headroom::ui
