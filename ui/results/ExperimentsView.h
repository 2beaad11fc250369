// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/ExperimentsDelegate.h"
#include "ui/results/ExperimentsFilterModel.h"
#include "ui/results/ExperimentsModel.h"
#include "ui/results/WorkspaceService.h"

#include <QAction>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;

namespace headroom::ui {

/// The experiments of the open workspace, with a search field; a click shows the results of one, Ctrl-clicks or
/// Shift-clicks those of several together.
class ExperimentsView : public QWidget {
    Q_OBJECT

public:
    ExperimentsView(WorkspaceService& workspace, Theme& theme, QWidget* parent = nullptr);

    QAction* openAction() const { return m_open; }
    QAction* createAction() const { return m_create; }
    QAction* newestAction() const { return m_newest; }
    QLineEdit* searchField() const { return m_search; }

private:
    void makeActions();
    void makeList();
    void layOut();
    QWidget* emptyPage();
    void chooseWorkspace();
    void chooseNewWorkspace();
    void showSelected();
    void takeExperiments();
    void takeShown();
    void showPage();

    WorkspaceService& m_workspace;
    ExperimentsModel m_experiments;
    ExperimentsFilterModel m_filtered;
    ExperimentsDelegate m_delegate;
    QLabel* m_name;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_emptyText;
    QPushButton* m_openButton;
    QPushButton* m_createButton;
    QStackedWidget* m_pages;
    QAction* m_open;
    QAction* m_create;
    QAction* m_newest;
    QTimer m_clock;
};

} // namespace headroom::ui
