// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/window/Preferences.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

namespace headroom::ui {

/// Does what is asked for selected trials, from the table or the tradeoff: another baseline, the form, a run with a
/// trace, deletion. What destroys asks first. Also dims the views while they show another experiment than
/// the one that is being set up.
class TrialDesk : public QObject {
    Q_OBJECT

public:
    /// The preferences must outlive it.
    TrialDesk(Services& services, WindowViews& views, const Preferences& preferences, QWidget* window);
    ~TrialDesk() override;

Q_SIGNALS:
    void said(const QString& message);
    void refused(const QString& why);

private:
    void dimWhatIsOfAnother();
    void putIntoForm(const QString& trial);
    void runWithTrace(const QStringList& trials);
    void deleteAfterQuestion(const QStringList& trials);
    std::vector<report::ReportTrial> found(const QStringList& trials) const;

    Services& m_services;
    WindowViews& m_views;
    QWidget* m_window;
    const Preferences& m_preferences;
    JobThread m_jobs; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
