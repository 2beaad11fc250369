// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/QueueText.h"

#include "core/base/ByteFormat.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/sweep/TrialQueue.h"
#include "ui/runs/RunService.h"

#include <QLocale>
#include <QStringList>

#include <array>
#include <cmath>

namespace headroom::ui {

QString durationText(double seconds)
{
    if (seconds < 0.05)
        return QStringLiteral("< 0.1 s");
    if (seconds < 9.95 && seconds != std::floor(seconds))
        return QStringLiteral("%1 s").arg(QLocale().toString(seconds, 'f', 1));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return QStringLiteral("%1 s").arg(whole);
    if (whole < 3600)
        return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString doingText(const QueuedRun& run, std::size_t trial)
{
    const TrialProgress& progress = run.progress(trial);
    const experiments::PlannedTrial& planned = run.planned(trial);
    const int repeats = experiments::repeatsNeeded(planned);
    if (progress.state != TrialState::Running)
        return isOver(progress.state) || repeats < 2 || progress.finishedRepeats == 0
            ? QString()
            : QStringLiteral("%1 of %2 repeats").arg(progress.finishedRepeats).arg(repeats);
    if (planned.trial.device.isSimulated())
        return QStringLiteral("predicting");
    QStringList parts{QString::fromStdString(headroom::inWords(progress.phase))};
    constexpr std::array kOutsideOfSteps{"start", "load", "baseline", "compare", "plain_warmup"};
    const bool isStep =
        std::find(kOutsideOfSteps.begin(), kOutsideOfSteps.end(), progress.phase) == kOutsideOfSteps.end();
    if (isStep && progress.step == 0)
        parts += QStringLiteral("warm-up");
    if (isStep && progress.step > 0)
        parts += QStringLiteral("step %1 of %2").arg(progress.step).arg(planned.trial.protocol.steps);
    if (progress.finishedRepeats >= repeats)
        parts += QStringLiteral("measured again");
    else if (repeats > 1)
        parts += QStringLiteral("repeat %1 of %2").arg(progress.finishedRepeats + 1).arg(repeats);
    return parts.join(QStringLiteral(", "));
}

QString reasonText(const TrialProgress& progress)
{
    return QString::fromStdString(progress.shortage.empty() ? progress.reason : progress.shortage);
}

QString peakText(const TrialProgress& progress)
{
    if (progress.needed)
        return QStringLiteral("needs %1").arg(QString::fromStdString(experiments::readable(*progress.needed)));
    return progress.peakAllocated
        ? QStringLiteral("%1 allocated").arg(QString::fromStdString(experiments::readable(*progress.peakAllocated)))
        : QString();
}

QString peakDetails(const TrialProgress& progress)
{
    QStringList parts{peakText(progress)};
    const auto add = [&](const std::optional<Bytes>& bytes, const QString& word) {
        if (bytes && progress.needed)
            parts += QString::fromStdString(experiments::readable(*bytes)) + QLatin1Char(' ') + word;
    };
    add(progress.peakReserved, QStringLiteral("reserved"));
    add(progress.peakAllocated, QStringLiteral("allocated"));
    return parts.join(QStringLiteral(", "));
}

QString speedText(double stepsPerSecond)
{
    return QString::fromStdString(config::rateText(stepsPerSecond));
}

QString stepTimeText(double stepsPerSecond)
{
    return stepsPerSecond > 0
        ? QStringLiteral("%1 s/it").arg(QString::fromStdString(config::significant(1 / stepsPerSecond, 3)))
        : QString();
}

double secondsSpent(const TrialProgress& progress)
{
    const std::chrono::duration<double> now =
        progress.begun ? TrialProgress::Clock::now() - *progress.begun : TrialProgress::Clock::duration{};
    return (progress.spent + now).count();
}

QString stateText(const QueuedRun& run)
{
    switch (run.state()) {
    case RunState::Waiting:
        return QStringLiteral("waiting");
    case RunState::Running:
        return QStringLiteral("running");
    case RunState::Paused:
        return QStringLiteral("paused");
    case RunState::Finished:
        return QStringLiteral("finished");
    case RunState::Stopped:
        return QStringLiteral("stopped");
    case RunState::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

QString countsText(const QueuedRun& run)
{
    const QueuedRun::Counts counts = run.counts();
    return QStringLiteral("%1 of %2 %3")
        .arg(counts.done)
        .arg(counts.total)
        .arg(counts.total == 1 ? QStringLiteral("trial") : QStringLiteral("trials"));
}

QString overallText(const RunService& service)
{
    const OverallProgress progress = service.progress();
    QString text = QStringLiteral("%1 of %2 %3")
                       .arg(progress.done)
                       .arg(progress.total)
                       .arg(progress.total == 1 ? QStringLiteral("trial") : QStringLiteral("trials"));
    if (!service.isBusy() && !service.isPaused())
        return text + (progress.done < progress.total ? QStringLiteral(", stopped") : QStringLiteral(", done"));
    if (service.isStopping())
        return text + QStringLiteral(", stopping");
    if (service.isPausing())
        return text + QStringLiteral(", pausing after this repeat");
    if (service.isPaused())
        return text + QStringLiteral(", paused");
    if (!progress.secondsLeft)
        return text + QStringLiteral(", time left not known");
    if (*progress.secondsLeft < 1)
        return text + QStringLiteral(", less than 1 s left");
    return text + QStringLiteral(", about %1 left").arg(durationText(std::round(*progress.secondsLeft)));
}

} // namespace headroom::ui
