// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPalette>

class QWidget;

namespace headroom::ui {

class Theme;

/// Gives a widget's text a colour of its own; the rest of its palette stays.
void setInk(QWidget* widget, const QColor& colour, QPalette::ColorRole role = QPalette::WindowText);

/// What is not about the experiment that is being set up is said on a ground of its own.
enum class Ground { Plain, Highlighted };
void setGround(QWidget* widget, const Theme& theme, Ground ground);

} // namespace headroom::ui
