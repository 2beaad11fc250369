// SPDX-License-Identifier: Apache-2.0
#include "ui/window/Preferences.h"

namespace headroom::ui {
namespace {

constexpr int kVersion = 3; ///< version of the layout: the docks of another version are not restored

const QStringList kSchemes{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};

ColourScheme schemeFrom(const QVariant& value)
{
    const qsizetype index = kSchemes.indexOf(value.toString());
    return index < 0 ? ColourScheme::System : static_cast<ColourScheme>(index);
}

} // namespace

void remember(QStringList& recent, const QString& file)
{
    recent.removeAll(file);
    recent.prepend(file);
    while (recent.size() > Preferences::kMostRecent)
        recent.removeLast();
}

QVariantMap toVariant(const Preferences& preferences)
{
    QVariantMap values;
    values[QStringLiteral("version")] = kVersion;
    values[QStringLiteral("scheme")] = kSchemes.at(static_cast<int>(preferences.scheme));
    values[QStringLiteral("trace")] = preferences.tracing == TraceHabit::Record;
    if (preferences.timeoutSeconds)
        values[QStringLiteral("timeoutSeconds")] = *preferences.timeoutSeconds;
    values[QStringLiteral("spec")] = preferences.spec;
    values[QStringLiteral("workspace")] = preferences.workspace;
    values[QStringLiteral("recentSpecs")] = preferences.recentSpecs;
    values[QStringLiteral("recentWorkspaces")] = preferences.recentWorkspaces;
    values[QStringLiteral("recentRecordings")] = preferences.recentRecordings;
    values[QStringLiteral("recentModels")] = preferences.recentModels;
    values[QStringLiteral("geometry")] = preferences.geometry;
    values[QStringLiteral("layout")] = preferences.layout;
    values[QStringLiteral("views")] = preferences.views;
    return values;
}

Preferences preferencesFrom(const QVariantMap& values)
{
    Preferences preferences;
    preferences.scheme = schemeFrom(values.value(QStringLiteral("scheme")));
    if (!values.value(QStringLiteral("trace"), true).toBool())
        preferences.tracing = TraceHabit::Leave;
    bool isNumber = false;
    if (const double seconds = values.value(QStringLiteral("timeoutSeconds")).toDouble(&isNumber);
        isNumber && seconds > 0)
        preferences.timeoutSeconds = seconds;
    preferences.spec = values.value(QStringLiteral("spec")).toString();
    preferences.workspace = values.value(QStringLiteral("workspace")).toString();
    preferences.recentSpecs = values.value(QStringLiteral("recentSpecs")).toStringList();
    preferences.recentWorkspaces = values.value(QStringLiteral("recentWorkspaces")).toStringList();
    preferences.recentRecordings = values.value(QStringLiteral("recentRecordings")).toStringList();
    preferences.recentModels = values.value(QStringLiteral("recentModels")).toStringList();
    if (values.value(QStringLiteral("version")).toInt() == kVersion) {
        preferences.geometry = values.value(QStringLiteral("geometry")).toByteArray();
        preferences.layout = values.value(QStringLiteral("layout")).toByteArray();
        preferences.views = values.value(QStringLiteral("views")).toMap();
    }
    return preferences;
}

} // namespace headroom::ui
