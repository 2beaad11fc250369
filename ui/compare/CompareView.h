// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/CompareStack.h"
#include "ui/compare/CompareTables.h"
#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTableWidget;
class QToolBar;

namespace headroom::ui {

/// The selected trials, two to six: why their peaks differ, their memory over each other, and what else differs. The
/// trial that was selected first is what the others are compared with.
class CompareView : public QWidget {
    Q_OBJECT

public:
    CompareView(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setResults(Results results);
    CompareStack& stack() { return *m_stack; }

Q_SIGNALS:
    void exported(const QString& path);
    void exportFailed(const QString& message);

private:
    QToolBar* makeBar();
    void follow();
    void showAlignments();
    void showTable(QTableWidget& widget, const CompareTable& table);
    TimelineSubject subjectOf(const report::ReportTrial& trial, const QString& name) const;

    Selection& m_selection;
    Results m_results;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_sentences;
    QComboBox* m_alignments;
    CompareStack* m_stack;
    QLabel* m_readout;
    QTableWidget* m_peaks;
    QTableWidget* m_settings;
};

} // namespace headroom::ui
