// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/RunEstimate.h"

#include <QDockWidget>

class QTabWidget;

namespace headroom::ui {

class ExperimentForm;
class SpecSession;
class Theme;

/// The dock in which an experiment is put together: the spec as a form and as text, and a summary of its plan.
class ExperimentDock : public QDockWidget {
    Q_OBJECT

public:
    ExperimentDock(SpecSession& session, Theme& theme, QWidget* parent = nullptr);

    /// Sets the known durations of trials, for the estimate.
    void setDurations(const Durations& durations);
    /// Brings the text page to the front.
    void showText();
    void showForm();
    /// The label of the setting's field, or the title of the card that contains it; empty if neither is visible.
    QString fieldName(const std::string& path) const;
    /// Brings the field to the front and gives it the focus.
    void showField(const std::string& path);

private:
    void showTitle();

    SpecSession& m_session;
    QTabWidget* m_pages;
    ExperimentForm* m_form;
};

} // namespace headroom::ui
