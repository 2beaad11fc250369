// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>

class QToolButton;
class QWidget;

namespace headroom::ui {

/// Small icons for buttons, drawn by the program so that they look the same with every font: a sweep axis, back to the
/// default, help.
enum class FieldGlyph { Axis, Reset, Info };

/// `size` is the side in logical pixels.
QIcon fieldIcon(FieldGlyph glyph, const QColor& colour, int size);

/// A button with such an icon, which keeps its space in the layout while it is hidden.
QToolButton* makeFieldButton(const QString& name, const QString& help, QWidget* parent);

} // namespace headroom::ui
