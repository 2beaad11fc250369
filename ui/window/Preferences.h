// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace headroom::ui {

/// Whether a run also records a trace for the timeline.
enum class TraceHabit { Record, Leave };

/// What the program remembers between sessions.
struct Preferences {
    ColourScheme scheme = ColourScheme::System;
    TraceHabit tracing = TraceHabit::Record;
    std::optional<double> timeoutSeconds; ///< of one repeat; nullopt: no limit
    QString spec; ///< the file that was open; empty if none
    QString workspace; ///< the last one; empty if none yet
    QStringList recentSpecs; ///< newest first
    QStringList recentWorkspaces;
    QStringList recentRecordings;
    QStringList recentModels; ///< archives of exported models, and configuration files
    QByteArray geometry; ///< geometry of the main window, as Qt saves it
    QByteArray layout; ///< docks and toolbars, as Qt saves them
    QVariantMap views; ///< the state of each view, by its object name

    static constexpr int kMostRecent = 10;

    bool operator==(const Preferences&) const = default;
};

/// Makes `file` the newest of the list.
void remember(QStringList& recent, const QString& file);

QVariantMap toVariant(const Preferences& preferences);
/// Missing values and values of another type get their defaults: a file of another version is not an error.
Preferences preferencesFrom(const QVariantMap& values);

/// Whether the window restores the layout that it had when it was closed.
enum class Restore { Layout, Nothing };

/// The options that the desktop program was started with. Paths are absolute.
struct StartOptions {
    QString spec; ///< an experiment file to open; empty if none
    QString workspace; ///< if empty: the last one, else the user's default
    std::optional<ColourScheme> scheme; ///< overrides the preferences for this session
    Restore restore = Restore::Layout;
    QString preferencesFile; ///< if empty: the user's
};

} // namespace headroom::ui
