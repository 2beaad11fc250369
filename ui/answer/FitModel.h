// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitRanking.h"
#include "ui/answer/Prediction.h"

#include <QAbstractTableModel>

namespace headroom::ui {

/// The changes with which a trial is predicted to fit, one per row.
class FitModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Change, Need, Free, Speed, Lost, Host, Apply, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// `asked` is the prediction for the trial that does not fit: it has the card's bytes and the speed to compare
    /// with.
    void setChanges(std::vector<experiments::FittingChange> changes, const Prediction& asked);
    /// The row with these changes, or -1.
    int rowOf(const std::vector<experiments::SettingChange>& changes) const;
    const experiments::FittingChange& change(int row) const { return m_changes.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const experiments::FittingChange& change, Column column) const;
    QString lostText(const experiments::FittingChange& change) const;

    std::vector<experiments::FittingChange> m_changes;
    Prediction m_asked;
};

} // namespace headroom::ui
