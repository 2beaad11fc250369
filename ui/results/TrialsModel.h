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
        OutcomeRole, ///< the record's word: "out_of_memory"
        IsPredictedRole, ///< of the cell
        IsUnknownRole, ///< of the cell
    };

    explicit TrialsModel(QObject* parent = nullptr);

    const Results& results() const { return m_results; }
    /// Of the same trials only what changed is announced as such: views keep their place while a run goes on.
    void setResults(Results results);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// No rows and no columns where nothing is shown.
    const report::ReportTable& table() const;
    const report::ReportCell& cell(int row, int column) const;
    QString trialId(int row) const;
    /// -1 where there is no such trial.
    int rowOf(const QString& trialId) const;
    /// -1 where there is no such column; the key is that of columnKey().
    int columnOf(const QString& key) const;
    /// By which a column is sorted; NaN where a cell is unknown. Numbers as such, words in their order, with numbers in
    /// them by size.
    const std::vector<double>& sortKeys(int column) const;

private:
    bool hasShapeOf(const report::ReportTable& table) const;
    void announceChanges(const report::ReportTable& before);
    QString toolTip(int row, int column) const;

    Results m_results;
    QHash<QString, int> m_rows; ///< by trial id
    mutable std::vector<std::vector<double>> m_sortKeys; ///< by column, when first asked for
};

} // namespace headroom::ui
