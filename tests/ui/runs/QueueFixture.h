// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/SpecLoader.h"
#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"
#include "ui/runs/RunJob.h"
#include "ui/runs/RunService.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <string>

namespace headroom::ui {

/// A service whose workers are the scripted one, and a workspace, both gone with it.
class QueueFixture {
public:
    QueueFixture()
    {
        QObject::connect(&service, &RunService::logAppended, [this](const LogLines& lines, qint64) { log += lines; });
        QObject::connect(&service, &RunService::runFinished,
            [this](const QString& summary, const QString&) { finished += summary; });
        QObject::connect(&service, &RunService::failed, [this](const QString& message) { failures += message; });
        QObject::connect(
            &service, &RunService::workspaceLost, [this](const LostWorkspace& workspace) { lost = workspace; });
    }

    void script(const char* text) { m_script.set(text); }

    static RunRequest request(const std::string& toml, const std::filesystem::path& workspace)
    {
        auto spec = experiments::loadSpecText("model.name = \"ffn-stack-tiny\"\n" + toml, "spec.toml", {});
        auto trials = experiments::expand(spec);
        return {.spec = std::move(spec), .trials = std::move(trials), .workspace = workspace};
    }

    int enqueue(const std::string& toml) { return service.enqueue(request(toml, workspace())); }

    std::shared_ptr<const QueuedRun> run(int id) const { return service.queue().find(id); }
    TrialState state(int id, std::size_t trial) const { return run(id)->progress(trial).state; }
    QString reason(int id, std::size_t trial) const { return QString::fromStdString(run(id)->progress(trial).reason); }

    /// Lines of the scripted worker's log that begin with the word.
    QStringList logged(const QString& word) const
    {
        QStringList lines;
        for (const std::string& line : linesOf(contentOf(logFile().toStdString())))
            if (line.starts_with(word.toStdString()))
                lines += QString::fromStdString(line);
        return lines;
    }
    /// Ids of the trials in the order in which workers were asked to carry them out.
    QStringList requested() const
    {
        QStringList ids;
        for (const QString& line : logged(QStringLiteral("request")))
            ids += line.section(u' ', 2);
        return ids;
    }
    QString id(int run, std::size_t trial) const
    {
        return QString::fromStdString(service.queue().find(run)->planned(trial).trialId);
    }

    QString logFile() const { return QString::fromStdString((m_folder.path() / "log").string()); }
    std::filesystem::path workspace() const { return m_folder.path() / "headroom.db"; }

    LogLines log;
    QStringList finished;
    QStringList failures;
    std::optional<LostWorkspace> lost;

private:
    TemporaryFolder m_folder;
    EnvironmentVariable m_worker{"HEADROOM_WORKER", SCRIPTED_WORKER};
    EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
    EnvironmentVariable m_log{"HEADROOM_SCRIPT_LOG", logFile().toStdString()};
    EnvironmentVariable m_script{"HEADROOM_SCRIPT", ""};

public:
    RunService service; ///< goes first
};

/// Three trials, of which the script can single one out by its length.
inline constexpr const char* kThree = "name = \"three\"\nworkload.sequence_length = [8, 16, 32]\n";

} // namespace headroom::ui
