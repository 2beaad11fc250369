// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/QueueText.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/sweep/TrialQueue.h"
#include "ui/runs/RunService.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace headroom::ui {

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
    if (isStep && progress.step > planned.trial.protocol.steps) // it is not steady yet, or goes on with a trace
        parts += QStringLiteral("step %1").arg(progress.step);
    else if (isStep && progress.step > 0)
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
        return QStringLiteral("needs %1").arg(QString::fromStdString(sizeText(*progress.needed)));
    return progress.peakAllocated
        ? QStringLiteral("%1 allocated").arg(QString::fromStdString(sizeText(*progress.peakAllocated)))
        : QString();
}

QString peakDetails(const TrialProgress& progress)
{
    QStringList parts{peakText(progress)};
    const auto add = [&](const std::optional<Bytes>& bytes, const QString& word) {
        if (bytes && progress.needed)
            parts += QString::fromStdString(sizeText(*bytes)) + QLatin1Char(' ') + word;
    };
    add(progress.peakReserved, QStringLiteral("reserved"));
    add(progress.peakAllocated, QStringLiteral("allocated"));
    return parts.join(QStringLiteral(", "));
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
    return QString::fromStdString(countedOf(counts.done, counts.total, "trial"));
}

QString overallText(const RunService& service)
{
    const OverallProgress progress = service.progress();
    const QString text = QString::fromStdString(countedOf(progress.done, progress.total, "trial"));
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
    return text + QStringLiteral(", %1 left").arg(QString::fromStdString(roughDurationText(*progress.secondsLeft)));
}

} // namespace headroom::ui
