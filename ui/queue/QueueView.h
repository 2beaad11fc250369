// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/queue/QueueActions.h"
#include "ui/queue/QueueModel.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QStackedWidget;
class QToolBar;
class QTreeView;

namespace headroom::ui {

/// The queue: experiments and their trials, the actions on them, and the overall progress.
class QueueView : public QWidget {
    Q_OBJECT

public:
    QueueView(RunService& service, Theme& theme, QWidget* parent = nullptr);

    /// For menus.
    const QueueActions& actions() const { return *m_actions; }
    QTreeView& tree() const { return *m_tree; }
    /// Copies the selected rows.
    QAction* copy() const { return m_copy; }

Q_SIGNALS:
    /// The id of the current trial in the queue; empty for none.
    void trialSelected(const QString& trialId);
    /// The user double-clicked a trial or pressed Enter on it, to see its result.
    void trialActivated(const QString& trialId);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolBar* makeToolBar();
    QTreeView* makeTree();
    QWidget* makeOverall();
    QLabel* makeEmptyState();
    void setColumnWidths();
    void fitSentences();
    void makeCopy();
    void copyRows() const;
    void dress();
    void connectTree();
    void expandSmall(int row);
    void readSelection();
    void showOverall();
    void followActive();
    void showMenu(const QPoint& position);

    RunService& m_service;
    Theme& m_theme;
    QueueActions* m_actions;
    QueueModel* m_model;
    QTreeView* m_tree = nullptr;
    QAction* m_copy = nullptr;
    QStackedWidget* m_stack = nullptr;
    int m_followed = 0; ///< the run that the view has scrolled to; 0: none
    QLabel* m_overall = nullptr;
    QProgressBar* m_bar = nullptr;
};

} // namespace headroom::ui
