// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/window/Preferences.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

#include <optional>
#include <string>

namespace headroom::ui {

/// Gets the trial that was measured where the selected one is predicted, or the other way round, when the shown results
/// do not have it: from another experiment of the workspace, else by a run of it. Both experiments are then shown
/// together, and the two trials are compared.
class CounterpartDesk : public QObject {
    Q_OBJECT

public:
    /// The preferences must outlive it.
    CounterpartDesk(Services& services, WindowViews& views, const Preferences& preferences, QObject* parent);
    ~CounterpartDesk() override;

Q_SIGNALS:
    void said(const QString& message);
    void refused(const QString& why);

private:
    /// The trial that waits for its counterpart.
    struct Waiting {
        qint64 experiment = 0;
        std::string storedId;
        int run = 0; ///< of the queue; 0: none is needed
        qint64 partner = 0; ///< the experiment that has the counterpart; 0: not known yet
    };

    void look(const QString& trial);
    void take(const report::ReportTrial& trial, const std::optional<qint64>& experiment);
    void run(const report::ReportTrial& trial);
    void enqueue(RunRequest request);
    void followRun();
    void takeExperiments();
    void showTogether(qint64 partner);
    void takeResults(const Results& results);

    Services& m_services;
    WindowViews& m_views;
    const Preferences& m_preferences;
    std::optional<Waiting> m_waiting;
    JobThread m_jobs; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
