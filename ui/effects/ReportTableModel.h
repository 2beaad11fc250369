// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"

#include <QAbstractTableModel>

namespace headroom::ui {

/// A table of a report in a view.
class ReportTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(report::ReportTable table);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    int alignment(int column) const;

    report::ReportTable m_table;
};

} // namespace headroom::ui
