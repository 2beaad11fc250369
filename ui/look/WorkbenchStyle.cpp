// SPDX-License-Identifier: Apache-2.0
#include "ui/look/WorkbenchStyle.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPainter>
#include <QStyleOption>

namespace headroom::ui {
namespace {

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

// Over Fusion's own, which is next to invisible there.
void drawOutline(const QStyleOption& option, QPainter& painter, double radius)
{
    QColor colour = option.palette.color(QPalette::PlaceholderText);
    colour.setAlphaF(option.state & QStyle::State_Enabled ? 0.65F : 0.3F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

// A combo box and a spin box have a frame around it.
bool isPartOfAField(const QWidget* widget)
{
    const QWidget* parent = widget ? widget->parentWidget() : nullptr;
    return qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent);
}

} // namespace

WorkbenchStyle::WorkbenchStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void WorkbenchStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (!isDark(option->palette))
        return;
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck)
        drawOutline(*option, *painter, 1);
    else if (element == PE_PanelLineEdit && !(option->state & State_HasFocus) && !isPartOfAField(widget))
        drawOutline(*option, *painter, 2);
}

} // namespace headroom::ui
