// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace headroom::ui {

/// Whether a run records a trace for the timeline, too.
enum class TraceHabit { Record, Leave };

/// What the program remembers between two starts.
struct Preferences {
    ColourScheme scheme = ColourScheme::System;
    TraceHabit tracing = TraceHabit::Record;
    std::optional<double> timeoutSeconds; ///< of one repeat; none: as long as it takes
    QString spec; ///< the file that was open; empty: none
    QString workspace; ///< the last one; empty: none yet
    QStringList recentSpecs; ///< newest first
    QStringList recentWorkspaces;
    QByteArray geometry; ///< of the main window, as Qt saves it
    QByteArray layout; ///< docks and toolbars, as Qt saves them
    QVariantMap views; ///< what each view remembers, by its object name

    static constexpr int kMostRecent = 10;

    bool operator==(const Preferences&) const = default;
};

/// `file` becomes the newest of the list.
void remember(QStringList& recent, const QString& file);

QVariantMap toVariant(const Preferences& preferences);
/// What is missing or of another kind has its default: a file of another version is no error.
Preferences preferencesFrom(const QVariantMap& values);

} // namespace headroom::ui
