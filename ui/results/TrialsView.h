// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/results/TrialActions.h"
#include "ui/results/TrialsTable.h"

#include <QAction>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace headroom::ui {

class ElidedLabel;

/// The trials as a table with a filter, and the actions on its rows.
class TrialsView : public QWidget {
    Q_OBJECT

public:
    TrialsView(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    void setResults(const Results& results);

    QLineEdit* filterField() const { return m_filter; }
    TrialsTable* table() const { return m_table; }

    /// For menus; their shortcuts work while the view or something in it has the focus.
    QAction* copyCsvAction() const { return m_copyCsv; }
    QAction* copyMarkdownAction() const { return m_copyMarkdown; }
    QAction* saveCsvAction() const { return m_saveCsv; }
    /// What can be done with the selected trials.
    TrialActions& trialActions() const { return *m_trialActions; }
    /// Shows only the trials on the front of their case while it is checked.
    QAction* onlyFrontAction() const { return m_onlyFront; }
    QMenu* columnsMenu() const { return m_table->columnsMenu(); }

    /// Writes the table's shownTable() to a file in the background.
    void saveCsv(const QString& path);

    QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& message);

private:
    QAction* addViewAction(const char* name, const QString& text, const QKeySequence& keys);
    void makeActions();
    void makeFilter();
    void makeTask();
    void showMenu(const QPoint& place);
    void showTask();
    void layOut();
    void chooseCsvFile();
    void showCounts();

    Theme& m_theme;
    Selection& m_selection;
    Results m_results;
    TrialsTable* m_table;
    QLineEdit* m_filter;
    ElidedLabel* m_task; ///< what all trials ran, in one line; hidden if unknown
    QLabel* m_counts;
    QLabel* m_emptyText;
    QPushButton* m_clearFilter;
    QStackedWidget* m_pages;
    QAction* m_copyCsv = nullptr;
    QAction* m_copyMarkdown = nullptr;
    QAction* m_saveCsv = nullptr;
    QAction* m_onlyFront = nullptr;
    TrialActions* m_trialActions = nullptr;
    QString m_folder;
    JobThread m_jobs;
};

} // namespace headroom::ui
