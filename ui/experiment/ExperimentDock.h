// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/RunEstimate.h"

#include <QDockWidget>

class QTabWidget;

namespace headroom::ui {

class ExperimentForm;
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
    /// What the field of a setting is called, or the card that it stands in; empty where none is seen.
    QString fieldName(const std::string& path) const;
    /// Brings the field to the front, with the focus.
    void showField(const std::string& path);

private:
    void showTitle();

    SpecSession& m_session;
    QTabWidget* m_pages;
    ExperimentForm* m_form;
};

} // namespace headroom::ui
