// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPalette>

class QWidget;

namespace headroom::ui {

/// Gives a widget's text a colour of its own; the rest of its palette stays.
void setInk(QWidget* widget, const QColor& colour, QPalette::ColorRole role = QPalette::WindowText);

} // namespace headroom::ui
