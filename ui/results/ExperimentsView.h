// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/ExperimentsModel.h"
#include "ui/results/OutcomeIcon.h"
#include "ui/results/WorkspaceService.h"

#include <QAction>
#include <QHash>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;

namespace headroom::ui {

/// Draws an experiment in two lines: its sign, name and age; below, its models, state and devices.
class ExperimentsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ExperimentsDelegate(const Theme& theme, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void makeIcons();
    void paintWords(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& area) const;

    const Theme& m_theme;
    QHash<int, QIcon> m_icons; ///< by sign
};

/// The experiments for which each of the words occurs in the name, a model or a device.
class ExperimentsFilterModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setSearchText(const QString& text);

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
    QStringList m_words;
};

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
