// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunJob.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/run/ExperimentRunner.h"
#include "profiling/store/StoreErrors.h"
#include "ui/runs/QueueText.h"

#include <QStringList>

namespace headroom::ui {
namespace {

experiments::RunOptions optionsOf(const RunJob& job)
{
    experiments::RunOptions options;
    options.worker = config::workerProgram();
    options.resources = config::resourceDirectory();
    options.timeout = job.request->timeout;
    options.mode = job.request->mode;
    options.tracing = job.request->tracing;
    options.workspaceUse = job.request->workspaceUse;
    options.commandLine = "headroom-desktop";
    options.stop = job.stop;
    options.control = job.control;
    return options;
}

QString adviceFor(const RunJob& job, const Error& error)
{
    if (error.problem().find("worker") != std::string::npos)
        return QStringLiteral("Reinstall Headroom, or let HEADROOM_WORKER name the worker program; then retry.");
    if (error.where().starts_with(job.request->workspace.string()))
        return QStringLiteral("Make the file writable, free space on its disk or open another workspace; then retry.");
    return QStringLiteral("What is finished is kept. Fix the problem, then retry.");
}

RunEnd failure(const RunJob& job, const QString& why, const QString& advice)
{
    return {.summary = std::nullopt,
        .failure = QStringLiteral("\"%1\" could not be carried out: %2. %3")
            .arg(QString::fromStdString(job.request->spec.name), why, advice)};
}

QString adviceFor(WorkspaceLoss loss)
{
    switch (loss) {
    case WorkspaceLoss::Damaged:
        return QStringLiteral("Nothing more is written to it. What has finished is safe and can be saved elsewhere.");
    case WorkspaceLoss::Displaced:
        return QStringLiteral(
            "Nothing was written in its place. What has finished is safe and can be saved elsewhere.");
    case WorkspaceLoss::Full:
        return QStringLiteral(
            "What was stored before is kept. Free space on its disk, or save what has finished elsewhere.");
    case WorkspaceLoss::Refused:
        break;
    }
    return QStringLiteral(
        "What was stored before is kept. Make the file writable, or save what has finished elsewhere.");
}

RunEnd loss(const RunJob& job, const experiments::ExperimentRunner& runner, WorkspaceLoss kind, const Error& error)
{
    RunEnd end = failure(job, QString::fromUtf8(error.what()), adviceFor(kind));
    end.lost = LostWorkspace{kind, QString::fromStdString(job.request->workspace.string()),
        QString::fromStdString(error.problem()), runner.unsaved()};
    return end;
}

// An error in a file other than the workspace, such as the worker program, does not prevent results from being stored.
RunEnd fileFailure(const RunJob& job, const experiments::ExperimentRunner& runner, const FileError& error)
{
    const bool isOfWorkspace = error.where().starts_with(job.request->workspace.string());
    if (isOfWorkspace && runner.unsaved() && !runner.unsaved()->repeats.empty())
        return loss(job, runner, WorkspaceLoss::Refused, error);
    return failure(job, QString::fromUtf8(error.what()), adviceFor(job, error));
}

} // namespace

// The boundary at which errors of a run become text: what can be done depends on the type of error.
RunEnd RunJob::carryOut() const
{
    experiments::ExperimentRunner runner(optionsOf(*this), *feed);
    try {
        runner.run(request->spec, request->trials, request->workspace);
        return {.summary = runner.summary(), .failure = {}};
    } catch (const store::DamagedFileError& error) {
        return loss(*this, runner, WorkspaceLoss::Damaged, error);
    } catch (const store::DisplacedFileError& error) {
        return loss(*this, runner, WorkspaceLoss::Displaced, error);
    } catch (const store::FullDiskError& error) {
        return loss(*this, runner, WorkspaceLoss::Full, error);
    } catch (const FileError& error) {
        return fileFailure(*this, runner, error);
    } catch (const UsageError& error) {
        return failure(
            *this, QString::fromUtf8(error.what()), QStringLiteral("Change the experiment and run it again."));
    } catch (const Error& error) {
        return failure(*this, QString::fromUtf8(error.what()), adviceFor(*this, error));
    } catch (const std::exception& error) {
        return failure(*this, QString::fromUtf8(error.what()), QStringLiteral("What is finished is kept."));
    }
}

QString summaryText(const experiments::RunSummary& summary)
{
    QStringList parts{QString::fromStdString(counted(summary.trials, "trial"))};
    std::vector<std::pair<std::int64_t, std::string>> outcomes;
    for (const auto& [outcome, count] : summary.outcomes)
        outcomes.emplace_back(count, inWords(stateOf(outcome)).toStdString());
    outcomes.emplace_back(summary.notRun, "not run");
    if (const std::string text = tallied(outcomes); !text.empty())
        parts += QString::fromStdString(text);
    parts += QString::fromStdString(durationText(summary.seconds));
    const QString end = summary.interrupted ? QStringLiteral("stopped") : QStringLiteral("finished");
    return QStringLiteral("%1 %2: %3")
        .arg(QString::fromStdString(summary.experiment), end, parts.join(QStringLiteral(", ")));
}

QString exitMeaning(const experiments::RunSummary& summary)
{
    switch (summary.exitCode()) {
    case 0:
        return QStringLiteral("Every trial ended with a result.");
    case 1:
        return QStringLiteral("A budget is exceeded.");
    case 3:
        return QStringLiteral("A trial failed, timed out or was cancelled; Retry runs it again.");
    case 4:
        return QStringLiteral("A result cannot be used: it is not steady, not plausible, or a budget is undecided.");
    case 130:
        return QStringLiteral("It was stopped. What is finished is kept; Retry goes on with the rest.");
    default:
        return QStringLiteral("It ended with exit code %1.").arg(summary.exitCode());
    }
}

} // namespace headroom::ui
