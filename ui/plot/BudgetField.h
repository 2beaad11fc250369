// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Quantities.h"

#include "ui/look/DecimalField.h"

#include <optional>

namespace headroom::ui {

/// A budget of memory in the unit of the plot beside it. Its lowest value means that there is none.
class BudgetField : public DecimalField {
    Q_OBJECT

public:
    explicit BudgetField(QWidget* parent = nullptr);

    void setUnit(const SizeUnit& unit);
    /// Says nothing to others.
    void showBudget(const std::optional<Bytes>& budget);
    std::optional<Bytes> budget() const;

Q_SIGNALS:
    /// A person set it.
    void edited(std::optional<headroom::Bytes> budget);

private:
    SizeUnit m_unit;
};

} // namespace headroom::ui
