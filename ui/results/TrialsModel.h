// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"

#include <QAbstractTableModel>
#include <QHash>

#include <vector>

namespace headroom::ui {

/// The trials of an experiment in the columns, words and units of its report.
class TrialsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        TrialIdRole = Qt::UserRole + 1,
        OutcomeRole, ///< the record's word, such as "out_of_memory"
        IsPredictedRole, ///< of the cell
        IsUnknownRole, ///< of the cell
        IsIdleRole, ///< the cell is the setting with which a technique does nothing
        IsOnFrontRole, ///< the cell says that the trial is on the front
    };

    explicit TrialsModel(QObject* parent = nullptr);

    const Results& results() const { return m_results; }
    /// If the trials are the same, only the cells that changed are signalled, so views keep their place during a run.
    void setResults(Results results);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Has no rows and no columns if nothing is shown.
    const report::ReportTable& table() const;
    const report::ReportCell& cell(int row, int column) const;
    QString trialId(int row) const;
    /// -1 if there is no such trial.
    int rowOf(const QString& trialId) const;
    /// Whether no other trial of its case beats this one.
    bool isOnFront(int row) const;
    /// Whether the column is what the axes say in one text; it is searched, but need not be seen beside them.
    bool isLabel(int column) const;
    /// -1 if there is no such column; the key is that of columnKey().
    int columnOf(const QString& key) const;
    /// The keys that a column is sorted by; NaN for an unknown cell. Numbers sort by value, text alphabetically with
    /// the numbers in it by value.
    const std::vector<double>& sortKeys(int column) const;

private:
    bool hasShapeOf(const report::ReportTable& table) const;
    void announceChanges(const report::ReportTable& before);
    QString toolTip(int row, int column) const;

    Results m_results;
    QHash<QString, int> m_rows; ///< by trial id
    int m_front = -1; ///< the column that says which trials are on the front
    mutable std::vector<std::vector<double>> m_sortKeys; ///< by column, filled on first use
};

} // namespace headroom::ui
