// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/results/RowFilter.h"
#include "ui/results/TrialsModel.h"

#include <QSortFilterProxyModel>

namespace headroom::ui {

/// The trials that a filter lets through, sorted by a column. Unknown values come last in either order.
class TrialsFilterModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit TrialsFilterModel(TrialsModel& trials, QObject* parent = nullptr);

    /// See RowFilter. Words that cannot be understood are ignored and reported by complaint().
    void setFilterText(const QString& text);
    /// Lets only trials through that are on the front of their case.
    void setOnlyFront(bool isOn);
    const QString& complaint() const { return m_filter.complaint(); }

    TrialsModel& trials() const { return m_trials; }
    QString trialId(int row) const;
    /// Invalid if the filter does not let the trial through.
    QModelIndex indexOf(const QString& trialId, int column = 0) const;

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    TrialsModel& m_trials;
    QString m_text;
    RowFilter m_filter;
    bool m_onlyFront = false;
};

} // namespace headroom::ui
