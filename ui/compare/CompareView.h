// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareStack.h"
#include "ui/compare/CompareTables.h"
#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QToolBar;
class QTreeWidget;

namespace headroom::ui {

class ElidedLabel;

/// The selected trials, two to six: why their peaks differ, their memory over each other, and what else differs. The
/// trial that was selected first is what the others are compared with.
class CompareView : public QWidget {
    Q_OBJECT

public:
    CompareView(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setResults(Results results);
    CompareStack& stack() { return *m_stack; }
    CompareActions& actions() { return *m_actions; }

Q_SIGNALS:
    void exported(const QString& path);
    void exportFailed(const QString& message);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolBar* makeBar();
    void addKeys();
    void alignAsChosen();
    void follow();
    void explain();
    void showAlignments();
    void showTables(const ComparedTrials& compared);
    void showTable(QTreeWidget& widget, const CompareTable& table, const QStringList& names);
    void colourHeads();
    void shareOut();
    void showSentences();
    TimelineSubject subjectOf(const report::ReportTrial& trial, const QString& name) const;

    Theme& m_theme;
    Selection& m_selection;
    CompareActions* m_actions;
    Results m_results; ///< has the trials of m_compared
    ComparedTrials m_compared;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_sentences;
    QComboBox* m_alignments;
    CompareStack* m_stack;
    ElidedLabel* m_readout;
    QSplitter* m_beside;
    QAction* m_showTables = nullptr;
    QAction* m_allReasons = nullptr; ///< offered where a low window has room for one sentence only
    QStringList m_reasons;
    bool m_isWide = true; ///< the tables have room beside the curves
    bool m_hasOwnSizes = false; ///< the user has moved the border of the tables
    QTreeWidget* m_peaks;
    QTreeWidget* m_settings;
};

} // namespace headroom::ui
