// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/FieldGlyph.h"

#include "ui/look/LowWindow.h"

#include <QComboBox>
#include <QGridLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>

namespace headroom::ui {
namespace {

// All icons are drawn in a square of side 16.

void drawAxis(QPainter& painter)
{
    painter.drawLine(QPointF(2.5, 12), QPointF(13.5, 12));
    painter.setBrush(painter.pen().color());
    for (const double x : {3.5, 8.0, 12.5})
        painter.drawEllipse(QPointF(x, 7), 1.2, 1.2);
}

void drawReset(QPainter& painter)
{
    painter.drawArc(QRectF(3.5, 3.5, 9, 9), -60 * 16, 270 * 16);
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(QPolygonF({QPointF(1.6, 6.2), QPointF(6.4, 6.2), QPointF(4.0, 10.0)}));
}

void drawInfo(QPainter& painter)
{
    painter.drawEllipse(QPointF(8, 8), 6, 6);
    painter.drawLine(QPointF(8, 7.5), QPointF(8, 11));
    painter.setBrush(painter.pen().color());
    painter.drawEllipse(QPointF(8, 5), 0.5, 0.5);
}

QPixmap pixmapOf(FieldGlyph glyph, const QColor& colour, int size)
{
    constexpr int kScale = 4; // sharp on every screen
    QPixmap pixmap(size * kScale, size * kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size * kScale / 16.0, size * kScale / 16.0);
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (glyph == FieldGlyph::Axis)
        drawAxis(painter);
    else if (glyph == FieldGlyph::Reset)
        drawReset(painter);
    else
        drawInfo(painter);
    painter.end();
    pixmap.setDevicePixelRatio(kScale);
    return pixmap;
}

// What an editor has beside its text: frame, margins, the arrow of a list.
int sidesOf(const QWidget& editor)
{
    constexpr int kMargins = 8; // of the line itself, on both sides
    QStyleOptionComboBox list;
    if (qobject_cast<const QComboBox*>(&editor) == nullptr)
        return kMargins;
    list.initFrom(&editor);
    list.editable = true;
    list.rect = QRect(0, 0, 200, editor.sizeHint().height());
    const QRect text =
        editor.style()->subControlRect(QStyle::CC_ComboBox, &list, QStyle::SC_ComboBoxEditField, &editor);
    return list.rect.width() - text.width() + kMargins;
}

} // namespace

QIcon fieldIcon(FieldGlyph glyph, const QColor& colour, int size)
{
    return QIcon(pixmapOf(glyph, colour, size));
}

QToolButton* makeFieldButton(const QString& name, const QString& help, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setObjectName(name);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setToolTip(help);
    made->setAccessibleName(help);
    keepRoom(*made, true);
    return made;
}

void keepRoom(QToolButton& button, bool isKept)
{
    QSizePolicy policy = button.sizePolicy();
    policy.setRetainSizeWhenHidden(isKept);
    button.setSizePolicy(policy);
}

EditorPlace placeFor(const QString& text, const QWidget& editor, const QGridLayout& row)
{
    if (isInLowWindow(editor))
        return EditorPlace::Beside; // every line that is saved shows one of the techniques
    int room = row.geometry().width() - row.horizontalSpacing() * (row.columnCount() - 1);
    for (int column = 2; column < row.columnCount(); ++column)
        if (const QLayoutItem* button = row.itemAtPosition(0, column))
            room -= button->sizeHint().width();
    const QLayoutItem* name = row.itemAtPosition(0, 0);
    const int besideName = room - (name != nullptr ? name->sizeHint().width() : 0);
    const int share = row.columnStretch(0) + row.columnStretch(1);
    const int width = row.columnStretch(0) > 0 ? std::min(besideName, room * row.columnStretch(1) / share) : besideName;
    return editor.fontMetrics().horizontalAdvance(text) + sidesOf(editor) <= width ? EditorPlace::Beside
                                                                                   : EditorPlace::Below;
}

void place(QWidget& editor, EditorPlace where, QGridLayout& row)
{
    int line = 0;
    int column = 0;
    int lines = 0;
    int columns = 0;
    row.getItemPosition(row.indexOf(&editor), &line, &column, &lines, &columns);
    if ((where == EditorPlace::Below) == (line == 1))
        return;
    row.removeWidget(&editor);
    if (where == EditorPlace::Below)
        row.addWidget(&editor, 1, 0, 1, row.columnCount());
    else
        row.addWidget(&editor, 0, 1);
}

} // namespace headroom::ui
