// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/cost/RunCost.h"

#include <QAbstractTableModel>

#include <vector>

namespace headroom::ui {

/// What a number of steps takes on each card, the cheapest or fastest first, and what does not fit last.
class CostTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Card, Fits, Need, Free, Step, Hours, Money, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setSteps(std::int64_t steps);
    /// `currency`: of the prices; empty if there are none, and then there is no column of money.
    void setCosts(std::vector<experiments::CardCost> costs, const std::string& currency);
    const experiments::CardCost& cost(int row) const { return m_costs.at(static_cast<std::size_t>(row)); }

    /// The first row of a card, "rtx4090"; -1: there is none.
    int rowOf(const std::string& card) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const experiments::CardCost& cost, Column column) const;

    std::int64_t m_steps = 1;
    std::vector<experiments::CardCost> m_costs;
    std::string m_currency;
};

} // namespace headroom::ui
