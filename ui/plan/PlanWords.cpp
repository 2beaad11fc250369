// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanWords.h"

#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/config/imported/ShownModelName.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/results/TrialSpeed.h"
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

// What grows is what is counted: samples, or the tokens in each.
std::string throughputText(const LargestFit& fit)
{
    const experiments::TrialPrediction& prediction = fit.prediction;
    const auto speed =
        experiments::trialSpeed(prediction.trial, {prediction.need ? *prediction.need : prediction.result});
    const bool isOfSamples = fit.axis == "batch" || fit.axis == "accumulate";
    const auto rate = isOfSamples ? speed.samplesPerSecond : speed.tokensPerSecond;
    return rate ? ", " + speedText(*rate, isOfSamples ? SpeedUnit::Samples : SpeedUnit::Tokens) : std::string();
}

// " It needs 22.2 GiB, 1.42 GiB free, at 0.220 steps/s (4.55 s/step), 1.10 samples/s."
std::string needAtTheEdge(const LargestFit& fit)
{
    const auto needed = fit.prediction.verdict.neededBytes();
    const auto seconds = fit.prediction.stepSeconds();
    if (!fit.filled.value || !needed || !seconds)
        return {};
    return fmt::format(" It needs {}, {} free, at {}{}.", sizeText(*needed),
        sizeText(fit.prediction.verdict.freeBytes().value_or(0)), speedAndTimeText(1 / *seconds), throughputText(fit));
}

// "As it is it needs 83.4 GiB, 59.7 GiB more than usable. ": what the live answer says above, told apart from the
// answer.
std::string aboutWhatWasAsked(const experiments::PlanResult& plan)
{
    const experiments::FitVerdict& asked = plan.asked.verdict;
    const Bytes left = asked.freeBytes().value_or(0);
    if (!plan.answer || left >= 0)
        return {};
    return fmt::format("As it is it needs {}, {} more than usable. ", sizeText(*asked.neededBytes()), sizeText(-left));
}

} // namespace

QString questionText(const config::Trial& trial)
{
    return QString::fromStdString(config::shownModelName(trial.configuration.model) + " on " + trial.device.name()
        + ": " + experiments::taskText(std::vector<const config::Trial*>{&trial}));
}

QString bestSoFarSentence(const experiments::PlanStatus& status)
{
    if (status.front.empty())
        return QStringLiteral("None that fits is found yet.");
    const experiments::PlannedChoice& best = status.front.front();
    return QString::fromStdString(fmt::format("Best so far: {}, {}, needs {}.", experiments::changesText(best.changes),
        speedText(1 / best.figures.seconds), sizeText(best.verdict.neededBytes().value_or(0))));
}

QString progressSentence(const experiments::PlanStatus& status)
{
    const std::string text = fmt::format("{} simulated, {} of {} combinations decided", countText(status.predictions),
        countText(status.considered), countText(status.combinations));
    return QString::fromStdString(text + (status.provenGap ? "; " + gapText(*status.provenGap) : std::string()) + "."
        + (status.isExplaining ? " Now looking at why others lose." : ""));
}

QString answerSentence(const experiments::PlanResult& plan)
{
    return QString::fromStdString(experiments::sentenceFor(plan));
}

std::optional<experiments::FitVerdict::Kind> verdictOf(const experiments::PlanResult& plan)
{
    const auto& about = plan.answer ? plan.answer : plan.smallest;
    return about ? std::optional(about->verdict.kind) : std::nullopt;
}

QString certaintySentence(const experiments::PlanResult& plan)
{
    if (const std::string certainty = experiments::certaintyText(plan.findings); !certainty.empty())
        return QString::fromStdString(aboutWhatWasAsked(plan) + "Predicted, " + certainty + ".");
    return plan.findings.end == experiments::PlanFindings::End::Cancelled
        ? QStringLiteral("The search was interrupted.")
        : QStringLiteral("%1 simulated.").arg(QString::fromStdString(countText(plan.findings.predictions)));
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
