// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/queue/LogModel.h"
#include "ui/runs/RunService.h"

#include <QAction>
#include <QSortFilterProxyModel>
#include <QString>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTreeView;

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

/// The log of the workers and of the program while experiments run. It scrolls with new lines unless the user has
/// scrolled up.
class LogView : public QWidget {
    Q_OBJECT

public:
    LogView(RunService& service, Theme& theme, QWidget* parent = nullptr);

    /// The trial that "Selected trial only" refers to; empty for none.
    void setSelectedTrial(const QString& trialId);
    QTreeView& list() const { return *m_list; }
    const LogModel& model() const { return *m_model; }

    QAction* copy() const { return m_copy; } ///< copies the selected lines, or all that are shown
    QAction* clear() const { return m_clear; }
    QAction* find() const { return m_find; }

private:
    QWidget* makeTools();
    QTreeView* makeList();
    void makeActions();
    void followEnd();
    void append(const LogLines& lines, qint64 dropped);
    void applyFilter();
    void showCounts();
    void copyLines() const;
    QModelIndexList shownRows() const;

    LogModel* m_model;
    LogFilter* m_filter;
    QString m_trial;
    QAction* m_copy = nullptr;
    QAction* m_clear = nullptr;
    QAction* m_find = nullptr;
    QLineEdit* m_search = nullptr;
    QCheckBox* m_onlySelected = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTreeView* m_list = nullptr;
    QLabel* m_empty = nullptr;
    QLabel* m_counts = nullptr;
    bool m_followsEnd = true;
};

} // namespace headroom::ui
