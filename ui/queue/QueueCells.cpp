// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueCells.h"

#include "core/base/Quantities.h"
#include "experiments/sweep/TrialQueue.h"
#include "ui/queue/QueueModel.h"
#include "ui/runs/QueueText.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>
#include <array>

namespace headroom::ui {
namespace {

struct Header {
    const char* title;
    const char* help;
};

constexpr std::array<Header, QueueModel::ColumnCount> kHeaders{{
    {"Experiment, trial", "An experiment and, under it, its trials in the order in which they are run"},
    {"Device", "The device that a trial runs on; sim: devices predict"},
    {"State", "Where the trial is on its way, or how it ended"},
    {"Progress", "How much of it is done"},
    {"Phase and step, or reason",
        "What the trial is doing or, if it did not complete, why; for an experiment, how many trials have ended"},
    {"Samples", "Timed steps taken so far, over all repeats"},
    {"Needs",
        "What the device must have: the peak reserved by the allocator, with the driver's part; on a processor, the "
        "peak held by tensors. In binary units (1 GiB = 1024 MiB)"},
    {"steps/s", "Steps per second"},
    {"Time", "How long it has taken so far"},
}};

bool isFigure(int column)
{
    return column == QueueModel::Peak || column == QueueModel::Speed;
}

// The cell is slanted where a figure is predicted, as in the table of trials; the tooltip says so.
QString labelled(const QString& figure, const experiments::PlannedTrial& trial)
{
    const config::Provenance provenance = config::provenanceOf(trial.trial.device);
    return provenance == config::Provenance::Measured
        ? figure
        : figure + QStringLiteral(", ") + QString::fromUtf8(config::toText(provenance));
}

// The column's title says what it is of.
QString peakCell(const TrialProgress& progress)
{
    return progress.needed ? QString::fromStdString(sizeText(*progress.needed)) : peakText(progress);
}

QFont slantedFont()
{
    QFont font = QGuiApplication::font();
    font.setItalic(true);
    return font;
}

// "demo finished: 8 trials, …" in the log; here name and state stand beside it.
QString withoutName(const QueuedRun& run)
{
    const QString said = run.message();
    const auto colon = said.indexOf(QStringLiteral(": "));
    return said.startsWith(run.name() + QLatin1Char(' ')) && colon > 0 ? said.mid(colon + 2) : said;
}

QString progressCell(const QVariant& share)
{
    return share.isValid() ? QString::fromStdString(progressText(share.toDouble())) : QString();
}

QString durationCell(double seconds)
{
    return QString::fromStdString(durationText(seconds));
}

QFont boldFont()
{
    QFont font = QGuiApplication::font();
    font.setBold(true);
    return font;
}

double spentOn(const QueuedRun& run)
{
    double seconds = 0;
    for (const std::size_t trial : run.order())
        seconds += secondsSpent(run.progress(trial));
    return seconds;
}

// The number of warm-up steps is not known beforehand, so a repeat's share only counts timed steps.
double doneShare(const QueuedRun& run, std::size_t trial)
{
    const TrialProgress& progress = run.progress(trial);
    const double steps = run.planned(trial).trial.protocol.steps;
    const double repeats = experiments::repeatsNeeded(run.planned(trial));
    return std::min(1.0, (progress.finishedRepeats + static_cast<double>(progress.step) / steps) / repeats);
}

QVariant shareOf(const QueuedRun& run)
{
    double done = 0;
    int total = 0;
    for (const std::size_t trial : run.order())
        if (const TrialState state = run.progress(trial).state; state != TrialState::Skipped) {
            done += isOver(state) ? 1 : doneShare(run, trial);
            ++total;
        }
    return total == 0 ? QVariant() : QVariant(done / total);
}

QVariant shareOf(const QueuedRun& run, std::size_t trial)
{
    const TrialState state = run.progress(trial).state;
    if (isOver(state))
        return state == TrialState::Completed ? QVariant(1.0) : QVariant();
    const double done = doneShare(run, trial);
    return state == TrialState::Waiting && done == 0 ? QVariant() : QVariant(done);
}

} // namespace

QVariant QueueCells::header(int column, int role)
{
    const Header& header = kHeaders.at(static_cast<std::size_t>(column));
    if (role == Qt::DisplayRole)
        return QString::fromUtf8(header.title);
    if (role == Qt::ToolTipRole)
        return QString::fromUtf8(header.help);
    return {};
}

QVariant QueueCells::alignment(int column)
{
    const bool isNumber = column == QueueModel::Samples || column == QueueModel::Peak || column == QueueModel::Speed
        || column == QueueModel::Time;
    return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant QueueCells::of(const QueuedRun& run, int column, int role) const
{
    if (role == QueueModel::ShareRole && column == QueueModel::Progress)
        return shareOf(run);
    if (role == Qt::FontRole && column == QueueModel::Label)
        return boldFont();
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text(run, column);
    return {};
}

QVariant QueueCells::of(const QueuedRun& run, std::size_t trial, int column, int role) const
{
    if (role == QueueModel::ShareRole && column == QueueModel::Progress)
        return shareOf(run, trial);
    const experiments::PlannedTrial& planned = run.planned(trial);
    if (role == Qt::FontRole && isFigure(column) && !planned.trial.device.computes())
        return slantedFont();
    if (role == Qt::ToolTipRole && column == QueueModel::Speed && run.progress(trial).stepsPerSecond)
        return labelled(QString::fromStdString(stepTimeText(*run.progress(trial).stepsPerSecond)), planned);
    if (role == Qt::ToolTipRole && column == QueueModel::Peak && !peakText(run.progress(trial)).isEmpty())
        return labelled(peakDetails(run.progress(trial)), planned);
    if (role == Qt::AccessibleTextRole && isFigure(column) && !text(run, trial, column).isEmpty())
        return labelled(text(run, trial, column), planned);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text(run, trial, column);
    return {};
}

QString QueueCells::text(const QueuedRun& run, int column) const
{
    switch (column) {
    case QueueModel::Label:
        return run.name();
    case QueueModel::Device:
        return run.devicesText();
    case QueueModel::State:
        return m_service.active().get() == &run && m_service.isPausing() && !m_service.isStopping()
            ? QStringLiteral("pausing")
            : stateText(run);
    case QueueModel::Progress:
        return progressCell(shareOf(run));
    case QueueModel::Doing:
        return run.message().isEmpty() ? countsText(run) : withoutName(run);
    case QueueModel::Time:
        return run.state() == RunState::Waiting ? QString() : durationCell(spentOn(run));
    default:
        return {};
    }
}

QString QueueCells::text(const QueuedRun& run, std::size_t trial, int column) const
{
    const TrialProgress& progress = run.progress(trial);
    const experiments::PlannedTrial& planned = run.planned(trial);
    switch (column) {
    case QueueModel::Label:
        return QString::fromStdString(planned.label);
    case QueueModel::Device:
        return QString::fromStdString(planned.trial.device.name());
    case QueueModel::State:
        return inWords(progress.state);
    case QueueModel::Progress:
        return progressCell(shareOf(run, trial));
    case QueueModel::Doing:
        return isOver(progress.state) ? reasonText(progress) : doingText(run, trial);
    case QueueModel::Samples:
        return progress.samples == 0 ? QString() : QString::number(progress.samples);
    case QueueModel::Peak:
        return peakCell(progress);
    case QueueModel::Speed:
        return progress.stepsPerSecond ? QString::fromStdString(speedText(*progress.stepsPerSecond)) : QString();
    case QueueModel::Time:
        return secondsSpent(progress) > 0 ? durationCell(secondsSpent(progress)) : QString();
    default:
        return {};
    }
}

} // namespace headroom::ui
