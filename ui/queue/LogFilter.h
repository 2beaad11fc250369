// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace headroom::ui {

/// Lines of a LogModel that hold a text and belong to a trial.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Case does not matter; empty: every line.
    void setText(const QString& text);
    /// By its id; empty: those of all trials.
    void setTrial(const QString& trialId);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_text;
    QString m_trial;
};

} // namespace headroom::ui
