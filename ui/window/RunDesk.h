// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"
#include "ui/window/Services.h"

#include <QObject>

namespace headroom::ui {

/// Queues the experiment on the left as a run, and lets the results view follow it.
class RunDesk : public QObject {
    Q_OBJECT

public:
    explicit RunDesk(Services& services, QObject* parent);

    /// Why there is nothing to run, in a sentence; empty if there is.
    QString obstacle() const;
    /// Queues the experiment. If its plan is still being computed, it starts as soon as that is done.
    void run(const Preferences& preferences);
    /// Uses the durations of trials in the results for the experiment's estimate.
    void learnDurations(const Results& results);

Q_SIGNALS:
    void refused(const QString& why);
    void started(const QString& experiment);

private:
    void enqueue();

    Services& m_services;
    Preferences m_preferences;
    bool m_isWanted = false; ///< requested, but the plan is not ready yet
};

} // namespace headroom::ui
