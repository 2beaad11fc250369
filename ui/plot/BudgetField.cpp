// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/BudgetField.h"

#include "ui/look/WheelGuard.h"

#include <QSignalBlocker>

#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kLargest = 1e6;

} // namespace

BudgetField::BudgetField(QWidget* parent)
    : DecimalField(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    new WheelGuard(this);
    setKeyboardTracking(false);
    setRange(0, kLargest);
    setDecimals(2);
    setSingleStep(0.5);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setSpecialValueText(QStringLiteral("none"));
    setUnit(sizeUnitOf(kGiB));
    connect(this, &QDoubleSpinBox::valueChanged, this, [this] { Q_EMIT edited(budget()); });
}

void BudgetField::setUnit(const SizeUnit& unit)
{
    const auto shown = budget();
    m_unit = unit;
    setSuffix(QStringLiteral(" ") + QString::fromStdString(unit.name));
    showBudget(shown);
}

void BudgetField::showBudget(const std::optional<Bytes>& budget)
{
    const QSignalBlocker quiet(this);
    setValue(budget ? m_unit.of(*budget) : 0);
}

std::optional<Bytes> BudgetField::budget() const
{
    if (value() <= 0)
        return std::nullopt;
    return static_cast<Bytes>(std::llround(value() * static_cast<double>(m_unit.bytes)));
}

} // namespace headroom::ui
