// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/RecordingImporter.h"

#include "core/base/Error.h"
#include "core/base/ShellWords.h"
#include "experiments/recordings/RecordingImport.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/store/OpenFiles.h"

#include <QFileInfo>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kLookMs = 100;

/// Leaves the reader or the writer in the middle of a file.
struct ImportStopped { };

const experiments::ImportedTrial& firstToLookAt(const std::vector<experiments::ImportedTrial>& trials)
{
    const auto died = std::ranges::find(trials, Outcome::OutOfMemory, &experiments::ImportedTrial::outcome);
    return died != trials.end()
        ? *died
        : *std::ranges::max_element(trials, {}, [](const auto& trial) { return trial.peakAllocatedBytes; });
}

QString sentenceOf(const QString& file, const Error& error)
{
    QString text = QString::fromStdString(error.problem());
    if (!error.where().empty() && error.where() != file.toStdString())
        text += QStringLiteral(" (%1)").arg(QString::fromStdString(error.where()));
    text = QStringLiteral("%1: %2.").arg(QFileInfo(file).fileName(), text);
    if (!error.valid().empty())
        text += QStringLiteral(" What can be opened: %1.").arg(QString::fromStdString(error.valid()));
    return text;
}

// Errors lose their parts at the border of the thread.
template <typename Body> auto saidOf(const QString& file, const Body& body)
{
    try {
        return body();
    } catch (const Error& error) {
        throw Error(sentenceOf(file, error).toStdString());
    }
}

ImportedFile importedFile(
    const QString& file, const QString& workspace, const experiments::ImportedExperiment& imported)
{
    ImportedFile result{file, workspace, QString::fromStdString(imported.name), imported.number,
        QString::fromStdString(firstToLookAt(imported.trials).trialId), {}};
    for (const std::string& remark : imported.remarks)
        result.remarks.append(QString::fromStdString(remark));
    return result;
}

} // namespace

RecordingImporter::RecordingImporter(QObject* parent)
    : QObject(parent)
    , m_jobs(QStringLiteral("recordings"))
{
    connect(&m_look, &QTimer::timeout, this, &RecordingImporter::tell);
}

RecordingImporter::~RecordingImporter() = default;

std::optional<ImportedFile> RecordingImporter::importBy(
    Watch& watch, const QString& workspace, const std::stop_token& stop)
{
    const auto look = [&](double share) {
        watch.share = share;
        if (watch.isStopped || stop.stop_requested())
            throw ImportStopped();
    };
    const std::string file = watch.file.toStdString();
    try {
        look(0);
        store::requireNotOpenHere(file);
        const recordings::Recording recording = recordings::readRecording(file, look);
        watch.isWriting = true;
        look(0);
        const auto commandLine =
            experiments::shellCommand({"headroom", "trace", "import", file, "--workspace", workspace.toStdString()});
        return importedFile(watch.file, workspace,
            experiments::importRecording(recording,
                {.file = file,
                    .workspace = workspace.toStdString(),
                    .name = {},
                    .commandLine = commandLine,
                    .progress = look}));
    } catch (const ImportStopped&) {
        return std::nullopt;
    }
}

void RecordingImporter::import(const QString& file, const QString& workspace)
{
    auto watch = std::make_shared<Watch>();
    watch->file = file;
    m_waiting.push_back(watch);
    m_jobs.run(
        this,
        [watch, workspace](const std::stop_token& stop) {
            return saidOf(watch->file, [&] { return importBy(*watch, workspace, stop); });
        },
        [this, file](const std::optional<ImportedFile>& result) {
            end();
            if (result)
                Q_EMIT imported(*result);
            else
                Q_EMIT cancelled(file);
        },
        [this, file](const QString& message) {
            end();
            Q_EMIT failed(file, message);
        });
    if (!m_current)
        begin(watch);
}

void RecordingImporter::begin(const WatchPtr& watch)
{
    m_current = watch;
    m_look.start(kLookMs);
    tell();
    Q_EMIT busyChanged();
}

// Jobs end in the order in which they were asked for.
void RecordingImporter::end()
{
    m_waiting.pop_front();
    if (!m_waiting.empty())
        return begin(m_waiting.front());
    m_current.reset();
    m_look.stop();
    Q_EMIT busyChanged();
}

void RecordingImporter::cancel()
{
    if (m_current)
        m_current->isStopped = true;
}

void RecordingImporter::tell()
{
    const QString name = QFileInfo(m_current->file).fileName();
    Q_EMIT progressed((m_current->isWriting ? QStringLiteral("Taking in %1") : QStringLiteral("Reading %1")).arg(name),
        m_current->share);
}

void RecordingImporter::sort(const QString& file)
{
    m_jobs.run(
        this,
        [file](const std::stop_token&) {
            return saidOf(file, [&] {
                if (store::isOpenHere(file.toStdString()))
                    return FileSort::Workspace; // what the store has open is one
                return recordings::looksLikeRecording(file.toStdString()) ? FileSort::Recording : FileSort::Other;
            });
        },
        [this, file](FileSort found) { Q_EMIT sorted(file, found); },
        [this, file](const QString& message) { Q_EMIT failed(file, message); });
}

} // namespace headroom::ui
