// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/TrialDetails.h"
#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QAction>
#include <QWidget>

#include <optional>

class QLabel;
class QTextBrowser;
class QStackedWidget;

namespace headroom::ui {

/// Everything that is known about the current trial, as text that can be selected and copied.
class DetailsView : public QWidget {
    Q_OBJECT

public:
    DetailsView(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    void setResults(const Results& results);

    /// Copies the details as Markdown.
    QAction* copyAllAction() const { return m_copyAll; }
    QAction* copySpecAction() const { return m_copySpec; }
    /// The displayed text; empty if no trial is shown.
    QString text() const;

private:
    void layOut();
    void showTrial();
    void showDetails();

    Theme& m_theme;
    Selection& m_selection;
    Results m_results;
    std::optional<TrialDetails> m_details;
    QString m_html;
    QTextBrowser* m_browser;
    QLabel* m_emptyText;
    QStackedWidget* m_pages;
    QAction* m_copyAll;
    QAction* m_copySpec;
};

} // namespace headroom::ui
