// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/RunEstimate.h"

#include <QDockWidget>

class QTabWidget;

namespace headroom::ui {

class SpecSession;
class Theme;

/// Where an experiment is put together: the spec as a form and as its text, and what it comes to.
class ExperimentDock : public QDockWidget {
    Q_OBJECT

public:
    ExperimentDock(SpecSession& session, Theme& theme, QWidget* parent = nullptr);

    /// What is known about the length of trials, for the estimate.
    void setDurations(const Durations& durations);
    /// Brings the page with the text to the front.
    void showText();
    void showForm();
    /// The first field whose text is not valid and therefore not in the spec; empty for none.
    QString unappliedField() const;

private:
    void showTitle();

    SpecSession& m_session;
    QTabWidget* m_pages;
};

} // namespace headroom::ui
