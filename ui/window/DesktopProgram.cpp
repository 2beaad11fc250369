// SPDX-License-Identifier: Apache-2.0
#include "ui/window/DesktopProgram.h"

#include "core/base/Error.h"
#include "ui/window/SpecFiles.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>

#include <chrono>

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

// What looks at the machine loads LibTorch, too: on two cores it would take one from the window's first picture, as the
// worker that predicts has the other.
constexpr std::chrono::milliseconds kUntilPainted{250};

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

DesktopProgram::DesktopProgram(StartOptions options)
    : m_options(std::move(options))
    , m_store(m_options.preferencesFile.isEmpty() ? PreferencesStore::usualFile() : m_options.preferencesFile)
{
    // Words are English and numbers are written as in tables, reports and specs, whatever the system's language: "1,5"
    // in a field of a sweep is two values.
    QLocale::setDefault(QLocale::c());
}

DesktopProgram::~DesktopProgram() = default;

QString DesktopProgram::usualWorkspace()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/headroom.db");
}

// The workers take a while to load LibTorch, so they start while the window is being created.
void DesktopProgram::start()
{
    m_services.predictor.warmUp();
    m_store.load(this, [this](const Preferences& preferences) { show(preferences); });
}

void DesktopProgram::show(const Preferences& preferences)
{
    m_services.theme.setScheme(m_options.scheme.value_or(preferences.scheme));
    m_window = std::make_unique<MainWindow>(m_services, preferences, m_options.restore);
    connect(m_window.get(), &MainWindow::preferencesChanged, this, &DesktopProgram::save);
    connect(&m_store, &PreferencesStore::failed, m_window.get(), &MainWindow::report);
    m_window->show();
    openWorkspace(preferences);
    const QString last = m_options.restore == Restore::Layout ? preferences.spec : QString();
    const QString file = m_options.spec.isEmpty() ? last : m_options.spec;
    if (!file.isEmpty() && !m_window->specs().openDropped(file)) // what is no model is read as an experiment
        m_window->specs().open(file);
    QTimer::singleShot(kUntilPainted, this, [this] { m_services.machine.start(); });
    Q_EMIT shown();
}

void DesktopProgram::openWorkspace(const Preferences& preferences)
{
    const QString chosen = m_options.workspace.isEmpty() ? preferences.workspace : m_options.workspace;
    m_window->openWorkspace(chosen.isEmpty() ? usualWorkspace() : chosen);
}

void DesktopProgram::save()
{
    m_store.save(m_window->preferences());
}

} // namespace headroom::ui
