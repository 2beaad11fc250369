// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanWords.h"

#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/spec/RunWords.h"
#include "experiments/sweep/TaskText.h"

#include <fmt/format.h>

namespace headroom::ui {
namespace {

using experiments::FilledTrial;

std::string countText(std::size_t count)
{
    return grouped(static_cast<std::int64_t>(count));
}

std::string gapText(double gap)
{
    if (gap < kLeastShownChange)
        return "nothing else can be faster";
    return gap > 0.99 ? "no bound is known yet"
                      : "one that takes up to " + percentText(gap) + " less time is not excluded";
}

std::string edgeText(const LargestFit& fit)
{
    const std::string axis = axisTitle(fit.axis).toStdString();
    const FilledTrial& filled = fit.filled;
    switch (filled.end) {
    case FilledTrial::End::Found:
        return fmt::format(
            "The largest {} that fits is {}; {} does not fit.", axis, grouped(*filled.value), grouped(*filled.next));
    case FilledTrial::End::NothingFits:
        return fmt::format("No {} fits, not even {}.", axis, grouped(filled.next.value_or(1)));
    case FilledTrial::End::LargestFits:
        return fmt::format("The largest {} that there is fits: {}.", axis, grouped(*filled.value));
    case FilledTrial::End::Unaffected:
        return fmt::format("More of {} takes no more memory: {} fits.", axis, grouped(*filled.value));
    case FilledTrial::End::CannotWork:
    case FilledTrial::End::Failed:
        return "The search failed: " + filled.reason + ".";
    case FilledTrial::End::Cancelled:
        break;
    }
    return "Cancelled.";
}

// " It needs 22.2 GiB, 1.42 GiB free, 1.10 samples/s."
std::string needAtTheEdge(const LargestFit& fit)
{
    const auto needed = fit.prediction.verdict.neededBytes();
    const auto seconds = fit.prediction.stepSeconds();
    if (!fit.filled.value || !needed || !seconds)
        return {};
    return fmt::format(" It needs {}, {} free, at {}.", sizeText(*needed),
        sizeText(fit.prediction.verdict.freeBytes().value_or(0)), speedAndTimeText(1 / *seconds));
}

} // namespace

QString questionText(const config::Trial& trial)
{
    return QString::fromStdString(trial.configuration.model + " on " + trial.device.name() + ": "
        + experiments::taskText(std::vector<const config::Trial*>{&trial}));
}

QString progressSentence(const experiments::PlanStatus& status)
{
    std::string text = fmt::format("{} simulated, {} of {} combinations decided. ", countText(status.predictions),
        countText(status.considered), countText(status.combinations));
    if (status.front.empty())
        return QString::fromStdString(text + "None that fits is found yet.");
    const experiments::PlannedChoice& best = status.front.front();
    text += fmt::format("Best so far: {}, {}, needs {}", experiments::changesText(best.changes),
        speedText(1 / best.figures.seconds), sizeText(best.verdict.neededBytes().value_or(0)));
    return QString::fromStdString(text + (status.provenGap ? "; " + gapText(*status.provenGap) : std::string()) + ".");
}

QString answerSentence(const experiments::PlanResult& plan)
{
    std::string text = experiments::sentenceFor(plan);
    if (const std::string certainty = experiments::certaintyText(plan.findings); !certainty.empty())
        text += " Predicted, " + certainty + ".";
    else if (plan.findings.end == experiments::PlanFindings::End::Cancelled)
        text += " The search was interrupted.";
    return QString::fromStdString(text);
}

QString largestSentence(const LargestFit& fit)
{
    return QString::fromStdString(edgeText(fit) + needAtTheEdge(fit));
}

QString axisTitle(const std::string& axis)
{
    return QString::fromStdString(inWords(axis));
}

QString commandOf(const config::Trial& trial)
{
    return QString::fromStdString(experiments::shellCommand(experiments::runWords(trial)));
}

} // namespace headroom::ui
