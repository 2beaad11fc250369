// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/RehearsalProcess.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>

#include <utility>

namespace headroom::ui {
namespace {

constexpr int kPatience = 5'000; ///< ms until one that was asked to end is ended

std::optional<Bytes> bytesIn(const QJsonObject& object, const char* key)
{
    const QJsonValue value = object.value(QLatin1String(key));
    return value.isDouble() ? std::optional<Bytes>(value.toInteger()) : std::nullopt;
}

QString textIn(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toString();
}

ScriptMoment momentIn(const QJsonObject& event)
{
    return {event.value(QLatin1String("seconds")).toDouble(), event.value(QLatin1String("unlimited")).toBool(),
        bytesIn(event, "taken_bytes").value_or(0), textIn(event, "phase"), event.value(QLatin1String("steps")).toInt(),
        bytesIn(event, "allocated_bytes"), bytesIn(event, "reserved_bytes")};
}

ScriptVerdict verdictIn(const QJsonObject& event)
{
    const QJsonObject row = event.value(QLatin1String("row")).toObject();
    const QJsonObject rank = row.value(QLatin1String("ranks")).toArray().first().toObject();
    const QJsonObject peak = rank.value(QLatin1String("peak")).toObject();
    return {textIn(row, "verdict"), textIn(event, "sentence"), textIn(row, "trial_id"), bytesIn(rank, "needed_bytes"),
        bytesIn(peak, "allocated_bytes"), bytesIn(peak, "reserved_bytes"), bytesIn(rank, "usable_bytes").value_or(0)};
}

// What a progress bar overwrites in a terminal is no line of its own.
QString lineOf(const QByteArray& bytes)
{
    const QString text = QString::fromUtf8(bytes).trimmed();
    return text.mid(text.lastIndexOf(QLatin1Char('\r')) + 1);
}

} // namespace

RehearsalProcess::RehearsalProcess(QObject* parent)
    : QObject(parent)
    , m_program(QCoreApplication::applicationDirPath() + QStringLiteral("/headroom"))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &RehearsalProcess::readAnswer);
    connect(&m_process, &QProcess::readyReadStandardError, this, &RehearsalProcess::readText);
    connect(&m_process, &QProcess::finished, this, &RehearsalProcess::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(QStringLiteral("%1 cannot be started: %2").arg(m_program, m_process.errorString()));
    });
}

RehearsalProcess::~RehearsalProcess()
{
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(kPatience))
        m_process.kill();
    m_process.waitForFinished(kPatience);
}

void RehearsalProcess::begin(const ScriptQuestion& question, const QString& workspace)
{
    if (isRunning())
        return;
    m_lastLine.clear();
    m_isStopped = false;
    m_verdict.reset();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), pathFor(question, environment.value(QStringLiteral("PATH"))));
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(question.folder.isEmpty() ? QDir::homePath() : question.folder);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.start(m_program, argumentsOf(question, workspace));
}

void RehearsalProcess::stop()
{
    m_isStopped = isRunning();
    m_process.terminate();
}

void RehearsalProcess::readAnswer()
{
    m_process.setReadChannel(QProcess::StandardOutput);
    while (m_process.canReadLine())
        take(QJsonDocument::fromJson(m_process.readLine()).object());
}

void RehearsalProcess::readText()
{
    m_process.setReadChannel(QProcess::StandardError);
    while (m_process.canReadLine())
        if (const QString line = lineOf(m_process.readLine()); !line.isEmpty()) {
            m_lastLine = line;
            Q_EMIT printed(line);
        }
}

void RehearsalProcess::take(const QJsonObject& event)
{
    const QString kind = textIn(event, "event");
    if (kind == QLatin1String("moment"))
        Q_EMIT moment(momentIn(event));
    else if (kind == QLatin1String("row_finished"))
        m_verdict = verdictIn(event);
}

void RehearsalProcess::finish(int exitCode, QProcess::ExitStatus status)
{
    readAnswer();
    readText();
    if (m_isStopped)
        return Q_EMIT failed({});
    if (status == QProcess::CrashExit)
        return Q_EMIT failed(QStringLiteral("The rehearsal ended without an answer: %1").arg(m_process.errorString()));
    if (!m_verdict)
        return Q_EMIT failed(
            m_lastLine.isEmpty() ? QStringLiteral("There is no answer (exit code %1).").arg(exitCode) : m_lastLine);
    Q_EMIT ended(*std::exchange(m_verdict, std::nullopt));
}

} // namespace headroom::ui
