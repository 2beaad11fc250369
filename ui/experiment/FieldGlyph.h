// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>

class QGridLayout;
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

/// Whether the button keeps its space while it is hidden.
void keepRoom(QToolButton& button, bool isKept);

/// Where the editor of a setting's row stands: beside its label, or on a line of its own below it.
enum class EditorPlace { Beside, Below };

/// Beside, if the text is whole there, and in a low window in any case. The row has the name in its first column, the
/// editor's place in the second, then buttons.
EditorPlace placeFor(const QString& text, const QWidget& editor, const QGridLayout& row);

/// Moves the editor there, unless it is there already.
void place(QWidget& editor, EditorPlace where, QGridLayout& row);

} // namespace headroom::ui
