// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/rehearse/ScriptQuestion.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

namespace headroom::ui {

/// Rehearses the script that the first page or the view asks about, and shows the trial that comes of it.
class RehearseDesk : public QObject {
    Q_OBJECT

public:
    RehearseDesk(Services& services, WindowViews& views, QObject* parent);

    void ask(const ScriptQuestion& question);

Q_SIGNALS:
    void refused(const QString& why);
    void said(const QString& message);
    /// The user wants to look at this trial, which the results have now.
    void trialShown(const QString& trial);

private:
    void offerCards();
    void show(const QString& trial);
    void showWanted();

    Services& m_services;
    WindowViews& m_views;
    QString m_wanted; ///< a trial that the results do not have yet
};

} // namespace headroom::ui
