// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ExperimentsFilterModel.h"

#include "ui/results/ExperimentsModel.h"

#include <algorithm>

namespace headroom::ui {

void ExperimentsFilterModel::setSearchText(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ExperimentsFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const
{
    const QString text = sourceModel()->index(sourceRow, 0, sourceParent).data(ExperimentsModel::SearchRole).toString();
    return std::all_of(
        m_words.begin(), m_words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace headroom::ui
