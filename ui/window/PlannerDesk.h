// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"
#include "ui/answer/FitPanel.h"
#include "ui/comparing/PlannedComparison.h"
#include "ui/jobs/JobThread.h"
#include "ui/start/StartQuestion.h"
#include "ui/window/Preferences.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

#include <functional>
#include <vector>

namespace headroom::ui {

class SpecFiles;

/// Asks the planner for the first page's question or for the experiment on the left, and does what is chosen of its
/// answer: into the form, as a run, or compared with another one.
class PlannerDesk : public QObject {
    Q_OBJECT

public:
    /// The preferences must outlive it.
    PlannerDesk(
        Services& services, WindowViews& views, SpecFiles& specs, const Preferences& preferences, QObject* parent);
    ~PlannerDesk() override;

    /// Makes the question the experiment on the left, and plans for it.
    void ask(const StartQuestion& question);
    /// Plans for the combination that the live answer shows.
    void searchShown();

Q_SIGNALS:
    void said(const QString& message);
    void refused(const QString& why);

private:
    void takePlan();
    void dimWhatIsOfAnother();
    void offerModels();
    void search(const config::Trial& trial);
    void putIntoForm(const experiments::PlannedChoice& choice);
    bool isOfTheForm() const;
    void setValues(const SettingValues& values);
    void run(const experiments::PlannedChoice& choice);
    void compare(const experiments::PlannedChoice& answer, const experiments::PlannedChoice& choice);
    /// Makes a request of the combinations in the background; `use` gets it.
    void request(const std::vector<experiments::PlannedChoice>& choices, const std::function<void(RunRequest)>& use);

    Services& m_services;
    WindowViews& m_views;
    SpecFiles& m_specs;
    const Preferences& m_preferences;
    PlannedComparison m_comparison;
    bool m_isWanted = false; ///< the question is being read
    int m_document = 0; ///< the experiment that the plan is of
    JobThread m_jobs; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
