// SPDX-License-Identifier: Apache-2.0
#include "ui/session/Selection.h"

namespace headroom::ui {

void Selection::select(const QStringList& trials)
{
    if (trials == m_trials)
        return;
    m_trials = trials;
    Q_EMIT changed();
}

void Selection::toggle(const QString& trial)
{
    QStringList trials = m_trials;
    if (!trials.removeOne(trial))
        trials.append(trial);
    select(trials);
}

void Selection::setHovered(const QString& trial)
{
    if (trial == m_hovered)
        return;
    m_hovered = trial;
    Q_EMIT hoverChanged();
}

} // namespace headroom::ui
