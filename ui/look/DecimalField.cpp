// SPDX-License-Identifier: Apache-2.0
#include "ui/look/DecimalField.h"

#include <QLocale>

namespace headroom::ui {

DecimalField::DecimalField(QWidget* parent)
    : QDoubleSpinBox(parent)
{
    setLocale(QLocale::c());
}

QValidator::State DecimalField::validate(QString& text, int& position) const
{
    text.replace(QLatin1Char(','), QLatin1Char('.'));
    return QDoubleSpinBox::validate(text, position);
}

} // namespace headroom::ui
