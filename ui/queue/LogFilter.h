// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace headroom::ui {

/// Filters the lines of a LogModel by text and by trial.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Case-insensitive; if empty, every line passes.
    void setText(const QString& text);
    /// A trial id; if empty, the lines of all trials pass.
    void setTrial(const QString& trialId);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_text;
    QString m_trial;
};

} // namespace headroom::ui
