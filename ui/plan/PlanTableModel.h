// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plan/PlanRows.h"

#include <QAbstractTableModel>

#include <optional>

namespace headroom::ui {

/// The combinations of a plan, one per row: the settings to change, what it needs and how fast it is.
class PlanTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Change, Role, Need, Free, Speed, Lost, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// `fastestSeconds` is the step time that the loss of speed is counted from.
    void setRows(std::vector<PlanRow> rows, std::optional<double> fastestSeconds);
    const PlanRow& row(int row) const { return m_rows.at(static_cast<std::size_t>(row)); }
    /// -1 for a combination that is not listed.
    int rowOf(const config::Trial& trial) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const PlanRow& row, Column column) const;
    QString lostText(const PlanRow& row) const;

    std::vector<PlanRow> m_rows;
    std::optional<double> m_fastestSeconds;
};

} // namespace headroom::ui
