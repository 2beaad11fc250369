// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsFilterModel.h"

#include <cmath>

namespace headroom::ui {

TrialsFilterModel::TrialsFilterModel(TrialsModel& trials, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_trials(trials)
{
    // Connected before the proxy's own handler: the columns may have changed.
    connect(&trials, &QAbstractItemModel::modelReset, this, [this] { m_filter = RowFilter(m_text, m_trials.table()); });
    setSourceModel(&trials);
}

void TrialsFilterModel::setFilterText(const QString& text)
{
    m_text = text;
    m_filter = RowFilter(text, m_trials.table());
    invalidateFilter();
}

void TrialsFilterModel::setOnlyFront(bool isOn)
{
    m_onlyFront = isOn;
    invalidateFilter();
}

QString TrialsFilterModel::trialId(int row) const
{
    return m_trials.trialId(mapToSource(index(row, 0)).row());
}

QModelIndex TrialsFilterModel::indexOf(const QString& trialId, int column) const
{
    const int row = m_trials.rowOf(trialId);
    return row < 0 ? QModelIndex() : mapFromSource(m_trials.index(row, column));
}

bool TrialsFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex&) const
{
    if (m_onlyFront && !m_trials.isOnFront(sourceRow))
        return false;
    return m_filter.isEmpty() || m_filter.accepts(m_trials.table().rows[static_cast<std::size_t>(sourceRow)]);
}

bool TrialsFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const std::vector<double>& keys = m_trials.sortKeys(left.column());
    const double a = keys[static_cast<std::size_t>(left.row())];
    const double b = keys[static_cast<std::size_t>(right.row())];
    // For descending order Qt swaps the arguments.
    if (std::isnan(a) || std::isnan(b))
        return sortOrder() == Qt::AscendingOrder ? std::isnan(b) && !std::isnan(a) : std::isnan(a) && !std::isnan(b);
    return a < b;
}

} // namespace headroom::ui
