// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"
#include "ui/window/Services.h"

#include <QObject>

namespace headroom::ui {

/// Turns the experiment on the left into a run in the queue, and lets the results follow.
class RunDesk : public QObject {
    Q_OBJECT

public:
    explicit RunDesk(Services& services, QObject* parent);

    /// Whether there is something to run; else why not, in a sentence.
    QString obstacle() const;
    /// Puts the experiment into the queue. Where its trials are being worked out still, it starts as soon as they are.
    void run(const Preferences& preferences);
    /// What the results say about the time that trials take goes into the experiment's estimate.
    void learnDurations(const Results& results);

Q_SIGNALS:
    void refused(const QString& why);
    void started(const QString& experiment);

private:
    void enqueue();

    Services& m_services;
    Preferences m_preferences;
    bool m_isWanted = false; ///< asked for, and the plan is not there yet
};

} // namespace headroom::ui
