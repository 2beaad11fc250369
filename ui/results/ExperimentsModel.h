// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/results/ExperimentEntry.h"
#include "ui/results/OutcomeIcon.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QString>

namespace headroom::ui {

/// "just now", "3 minutes ago", "yesterday", "5 days ago", "2026-03-01"
QString relativeTime(const QDateTime& then, const QDateTime& now);

/// "2026-03-01 12:30", in local time
QString exactTime(const QDateTime& time);

/// The experiments of a workspace, newest first.
class ExperimentsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole + 1,
        SearchRole, ///< name, models and devices
        SignRole, ///< of its state, as a Sign
        StateRole, ///< "finished, 12 trials", in words
        AgeRole, ///< "3 minutes ago"
        ModelsRole,
        PlacesRole, ///< devices
        IsShownRole, ///< whether its results are on the screen
    };

    explicit ExperimentsModel(QObject* parent = nullptr);

    void setExperiments(const Experiments& experiments);
    void setShown(const QList<qint64>& ids);
    const QList<qint64>& shown() const { return m_shown; }
    /// Updates the ages.
    void setNow(const QDateTime& now);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    const ExperimentEntry& entry(int row) const;
    /// -1 if it is not in the list.
    int rowOf(qint64 id) const;

private:
    void announce(const QList<int>& roles);

    Experiments m_experiments;
    QList<qint64> m_shown; ///< in the order in which they are shown
    QDateTime m_now;
};

} // namespace headroom::ui
