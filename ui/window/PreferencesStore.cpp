// SPDX-License-Identifier: Apache-2.0
#include "ui/window/PreferencesStore.h"

#include "core/base/Error.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace headroom::ui {
namespace {

constexpr auto kGroup = "headroom";

Preferences readFile(const QString& file)
{
    const QSettings settings(file, QSettings::IniFormat);
    return preferencesFrom(settings.value(QLatin1String(kGroup)).toMap());
}

void writeFile(const QString& file, const Preferences& preferences)
{
    QDir().mkpath(QFileInfo(file).absolutePath());
    QSettings settings(file, QSettings::IniFormat);
    settings.setValue(QLatin1String(kGroup), toVariant(preferences));
    settings.sync();
    if (settings.status() != QSettings::NoError)
        throw FileError("the preferences cannot be written", file.toStdString());
}

} // namespace

PreferencesStore::PreferencesStore(QString file, QObject* parent)
    : QObject(parent)
    , m_file(std::move(file))
    , m_jobs(QStringLiteral("preferences"))
{
}

QString PreferencesStore::usualFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/desktop.ini");
}

void PreferencesStore::load(QObject* receiver, std::function<void(const Preferences&)> deliver)
{
    m_jobs.run(
        receiver, [file = m_file](std::stop_token) { return readFile(file); },
        [deliver](const Preferences& preferences) { deliver(preferences); },
        [deliver](const QString&) { deliver({}); });
}

void PreferencesStore::save(const Preferences& preferences)
{
    m_jobs.runNewest(
        QStringLiteral("save"), this, [file = m_file, preferences](std::stop_token) { writeFile(file, preferences); },
        [] {}, [this](const QString& message) { Q_EMIT failed(message); });
    // Also saves if the program ends before the job has started.
    m_jobs.setCleanup([file = m_file, preferences] {
        try {
            writeFile(file, preferences);
        } catch (const Error&) { // there is nobody left to report it to
        }
    });
}

} // namespace headroom::ui
