// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/FitSearch.h"
#include "experiments/FitVerdict.h"

#include <QAbstractTableModel>

namespace headroom::ui {

/// Changes with which a trial is predicted to fit, a row each.
class FitModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Change, Need, Free, Speed, Apply, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// `verdict` is that of the trial which does not fit: the card's bytes are taken from it.
    void setChanges(std::vector<experiments::FittingChange> changes, const experiments::FitVerdict& verdict);
    const experiments::FittingChange& change(int row) const { return m_changes.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const experiments::FittingChange& change, Column column) const;

    std::vector<experiments::FittingChange> m_changes;
    experiments::FitVerdict m_verdict;
};

} // namespace headroom::ui
