// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/GroupSentences.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/tradeoff/ParetoFront.h"

#include <algorithm>
#include <cmath>

namespace headroom::report {
namespace {

using Trials = std::vector<const ReportTrial*>;

// More sentences than that are no summary.
constexpr std::size_t kMostSettings = 6;

// What differs by less than half a percent is called equal.
constexpr double kSameSpeed = 0.005;

std::string prediction(const ReportTrial& trial)
{
    return trial.isPredicted() ? " (predicted)" : "";
}

Trials usable(const ComparisonGroup& group)
{
    Trials trials;
    for (const ReportTrial* trial : group.trials)
        if (trial->isCompleted() && trial->fits().value_or(true) && !trial->hasFlag("implausible")
            && peakOf(*trial, group.figure))
            trials.push_back(trial);
    return trials;
}

std::string peakText(const ReportTrial& trial, MemoryFigure figure)
{
    return "a peak of " + sizeText(*peakOf(trial, figure)) + " " + name(figure);
}

// By speed; where no speed is known, by memory.
const ReportTrial* best(const Trials& trials, MemoryFigure figure)
{
    const auto isWorse = [&](const ReportTrial* a, const ReportTrial* b) {
        const double speedA = a->stepsPerSecond().value_or(0);
        const double speedB = b->stepsPerSecond().value_or(0);
        return speedA != speedB ? speedA < speedB : *peakOf(*a, figure) > *peakOf(*b, figure);
    };
    return *std::max_element(trials.begin(), trials.end(), isWorse);
}

bool knowsFit(const Trials& trials)
{
    return std::all_of(
        trials.begin(), trials.end(), [](const ReportTrial* trial) { return trial->fits().has_value(); });
}

// Predictions have no scatter; of two measurements only intervals tell whether they differ.
bool isToldApart(const ReportTrial& a, const ReportTrial& b)
{
    if (a.isPredicted() && b.isPredicted())
        return true;
    const auto first = a.stepsPerSecond95();
    const auto second = b.stepsPerSecond95();
    return first && second && (first->high < second->low || second->high < first->low);
}

std::string bestSentence(const ComparisonGroup& group, const Trials& trials)
{
    const ReportTrial& trial = *best(trials, group.figure);
    const auto speed = trial.stepsPerSecond();
    const std::string which = !speed ? "Smallest" : knowsFit(trials) ? "Fastest that fits" : "Fastest";
    const auto rival = std::find_if(trials.begin(), trials.end(),
        [&](const ReportTrial* other) { return other != &trial && !isToldApart(trial, *other); });
    const std::string doubt =
        speed && rival != trials.end() ? ", not told from " + quotedName(**rival) + " by its interval" : "";
    return which + ": " + quotedName(trial) + (speed ? " at " + speedText(*speed) + " with " : " with ")
        + peakText(trial, group.figure) + prediction(trial) + doubt + ".";
}

std::string speedClause(double ratio, const std::string& reference)
{
    if (std::abs(ratio - 1) < kSameSpeed)
        return "is as fast as " + reference;
    if (ratio > 1)
        return "is " + percentText(ratio - 1) + " faster than " + reference;
    return "keeps " + percentText(ratio) + " of the speed of " + reference;
}

std::string savedMemoryClause(Bytes saved)
{
    if (saved == 0)
        return "needs as much memory";
    return "needs " + moreOrLessText(-saved);
}

std::string versusSentence(const ReportTrial& trial, const ReportTrial& reference, const Versus& versus)
{
    std::string text;
    if (versus.speedRatio && isToldApart(trial, reference))
        text = speedClause(*versus.speedRatio, quotedName(reference));
    else if (versus.speedRatio)
        text = "cannot be told from " + quotedName(reference) + " in speed";
    if (versus.savedBytes)
        text += (text.empty() ? "" : " and ") + savedMemoryClause(*versus.savedBytes)
            + (versus.speedRatio ? "" : " than " + quotedName(reference));
    return text.empty() ? "" : quotedName(trial) + " " + text + prediction(trial) + ".";
}

std::string referenceSentence(const ReportTrial& reference)
{
    const std::string ending = reference.ending();
    return "There is nothing to compare with: " + quotedName(reference) + " ended as "
        + inWords(toText(reference.result.outcome)) + (ending.empty() ? "" : " (" + ending + ")")
        + prediction(reference) + ".";
}

// Those that no other one beats in both memory and speed; all of them where they are few.
Trials worthASentence(const ComparisonGroup& group)
{
    Trials trials;
    for (const ReportTrial* trial : group.trials)
        if (trial != group.reference && trial->isCompleted() && peakOf(*trial, group.figure))
            trials.push_back(trial);
    if (trials.size() <= kMostSettings)
        return trials;
    std::vector<figures::Cost> costs;
    for (const ReportTrial* trial : trials)
        costs.push_back({double(*peakOf(*trial, group.figure)), trial->stepsPerSecond().value_or(0)});
    Trials front;
    for (const std::size_t index : figures::paretoFront(costs))
        if (front.size() < kMostSettings)
            front.push_back(trials[index]);
    return front;
}

} // namespace

std::string quotedName(const ReportTrial& trial)
{
    std::string name = trial.techniques;
    std::replace(name.begin(), name.end(), '`', '\'');
    return "`" + name + "`";
}

std::vector<std::string> groupSentences(const ComparisonGroup& group, const Comparison& comparison)
{
    std::vector<std::string> sentences;
    const Trials candidates = usable(group);
    const auto completed = std::count_if(
        group.trials.begin(), group.trials.end(), [](const ReportTrial* trial) { return trial->isCompleted(); });
    if (!candidates.empty())
        sentences.push_back(bestSentence(group, candidates));
    else
        sentences.push_back(completed > 0 ? "None of these settings fits." : "None of these settings completed.");
    if (group.reference == nullptr)
        return sentences;
    if (!group.reference->isCompleted())
        sentences.push_back(referenceSentence(*group.reference));
    const Trials worth = worthASentence(group);
    for (const ReportTrial* trial : worth)
        if (const std::string text = versusSentence(*trial, *group.reference, comparison.versus(*trial)); !text.empty())
            sentences.push_back(text);
    return sentences;
}

} // namespace headroom::report
