// SPDX-License-Identifier: Apache-2.0
#include "ui/look/WidgetInk.h"

#include "ui/look/Theme.h"

#include <QWidget>

namespace headroom::ui {
namespace {

constexpr float kGroundOpacity = 0.18F; ///< words on it are read as well as elsewhere

} // namespace

// A palette that is set again is passed on to all children, even if it is the same.
void setInk(QWidget* widget, const QColor& colour, QPalette::ColorRole role)
{
    QPalette palette = widget->palette();
    if (palette.color(role) == colour)
        return;
    palette.setColor(role, colour);
    widget->setPalette(palette);
}

void setGround(QWidget* widget, const Theme& theme, Ground ground)
{
    QColor colour = theme.warning();
    colour.setAlphaF(kGroundOpacity);
    setInk(widget, colour, QPalette::Window);
    widget->setAutoFillBackground(ground == Ground::Highlighted);
}

} // namespace headroom::ui
