// SPDX-License-Identifier: Apache-2.0
#include "ui/look/WidgetInk.h"

#include <QWidget>

namespace headroom::ui {

// A palette that is set again is passed on to all children, even if it is the same.
void setInk(QWidget* widget, const QColor& colour, QPalette::ColorRole role)
{
    QPalette palette = widget->palette();
    if (palette.color(role) == colour)
        return;
    palette.setColor(role, colour);
    widget->setPalette(palette);
}

} // namespace headroom::ui
