// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/LogFilter.h"

#include "ui/queue/LogModel.h"

namespace headroom::ui {

void LogFilter::setText(const QString& text)
{
    m_text = text;
    invalidateFilter();
}

void LogFilter::setTrial(const QString& trialId)
{
    if (trialId == m_trial)
        return;
    m_trial = trialId;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex text = sourceModel()->index(row, LogModel::Text, parent);
    if (!m_trial.isEmpty() && text.data(LogModel::TrialIdRole).toString() != m_trial)
        return false;
    const QModelIndex trial = sourceModel()->index(row, LogModel::Trial, parent);
    return m_text.isEmpty() || text.data().toString().contains(m_text, Qt::CaseInsensitive)
        || trial.data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace headroom::ui
