// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/GroupSentences.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/GroupFront.h"
#include "experiments/verdict/PeakSentences.h"

#include <algorithm>
#include <cmath>

namespace headroom::report {
namespace {

using Trials = std::vector<const ReportTrial*>;

// More sentences than that are no summary, unless no other setting beats them.
constexpr std::size_t kMostSettings = 6;
constexpr std::size_t kMostExplained = 3; ///< else only the smallest one's peak and the cheapest one's are explained

// What differs by less than half a percent is called equal.
constexpr double kSameSpeed = 0.005;

constexpr std::size_t kFewToChoose = 2; ///< settings that save memory, of which nothing has to be said to choose

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
    if (!a.isMeasured() && !b.isMeasured())
        return true;
    const auto first = a.stepsPerSecond95();
    const auto second = b.stepsPerSecond95();
    return first && second && (first->high < second->low || second->high < first->low);
}

std::string bestSentence(const ComparisonGroup& group, const Trials& trials, const Comparison& comparison)
{
    const ReportTrial& trial = *best(trials, group.figure);
    const auto speed = trial.stepsPerSecond();
    const std::string which = !speed ? "Smallest" : knowsFit(trials) ? "Fastest that fits" : "Fastest";
    const auto rival = std::find_if(trials.begin(), trials.end(),
        [&](const ReportTrial* other) { return other != &trial && !isToldApart(trial, *other); });
    const std::string doubt =
        speed && rival != trials.end() ? ", not told from " + quotedName(**rival) + " by its interval" : "";
    return which + ": " + quotedName(trial) + (speed ? " at " + speedText(*speed) + " with " : " with ")
        + peakText(trial, group.figure) + provenanceMark(trial, comparison) + doubt + ".";
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

std::string versusSentence(const ReportTrial& trial, const ReportTrial& reference, const Comparison& comparison)
{
    const Versus versus = comparison.versus(trial);
    std::string text;
    if (versus.speedRatio && isToldApart(trial, reference))
        text = speedClause(*versus.speedRatio, quotedName(reference));
    else if (versus.speedRatio)
        text = "cannot be told from " + quotedName(reference) + " in speed";
    if (versus.savedBytes)
        text += (text.empty() ? "" : " and ") + savedMemoryClause(*versus.savedBytes)
            + (versus.speedRatio ? "" : " than " + quotedName(reference));
    return text.empty() ? "" : quotedName(trial) + " " + text + provenanceMark(trial, comparison) + ".";
}

// What `headroom trace show --against` says of two trials; nothing where a record does not tell what its peak was.
std::string whySentence(const ReportTrial& trial, const ReportTrial& reference)
{
    const auto& own = trial.result.breakdown;
    const auto& other = reference.result.breakdown;
    if (!own || !other || own->totalBytes == other->totalBytes)
        return {};
    return " Of what is allocated, "
        + experiments::whyAbove(
            {quotedName(trial), experiments::profileOf(*own)}, {quotedName(reference), experiments::profileOf(*other)});
}

std::string referenceSentence(const ReportTrial& reference, const Comparison& comparison)
{
    const std::string ending = reference.ending();
    return "There is nothing to compare with: " + quotedName(reference) + " ended as "
        + inWords(toText(reference.result.outcome)) + (ending.empty() ? "" : " (" + ending + ")")
        + provenanceMark(reference, comparison) + ".";
}

// All that completed where they are few; else those that no other one beats, the fastest first.
Trials worthASentence(const ComparisonGroup& group)
{
    Trials trials;
    for (const ReportTrial* trial : group.trials)
        if (trial != group.reference && trial->isCompleted() && peakOf(*trial, group.figure))
            trials.push_back(trial);
    if (trials.size() <= kMostSettings)
        return trials;
    Trials front = frontOf(group);
    std::erase(front, group.reference);
    std::reverse(front.begin(), front.end());
    return front;
}

/// What a setting costs for the memory that it saves.
struct Price {
    const ReportTrial* trial = nullptr;
    double lost = 0; ///< of the reference's speed; negative where it is faster
    Bytes saved = 0;

    double perByte() const { return std::max(lost, 0.0) / static_cast<double>(saved); }
};

std::vector<Price> pricesOf(const ComparisonGroup& group, const Comparison& comparison)
{
    std::vector<Price> prices;
    for (const ReportTrial* trial : frontOf(group)) {
        const Versus versus = comparison.versus(*trial);
        if (versus.savedBytes.value_or(0) > 0 && versus.speedRatio && isToldApart(*trial, *group.reference))
            prices.push_back({trial, 1 - *versus.speedRatio, *versus.savedBytes});
    }
    return prices;
}

// Of equally cheap ones that which saves most.
const Price& cheapest(const std::vector<Price>& prices)
{
    return *std::min_element(prices.begin(), prices.end(), [](const Price& a, const Price& b) {
        return a.perByte() != b.perByte() ? a.perByte() < b.perByte() : a.saved > b.saved;
    });
}

std::string priceSentence(const Price& price, const ReportTrial& reference, const Comparison& comparison)
{
    const std::string text = "Keeps most speed for the memory that it saves: " + quotedName(*price.trial) + ", "
        + sizeText(price.saved) + " less than " + quotedName(reference);
    if (price.lost < kSameSpeed)
        return text + " at no loss of speed" + provenanceMark(*price.trial, comparison) + ".";
    const double each = price.lost * static_cast<double>(kGiB) / static_cast<double>(price.saved);
    return text + " for " + percentText(price.lost) + " of the speed, " + percentText(each) + " for each GiB"
        + provenanceMark(*price.trial, comparison) + ".";
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
    const Trials candidates = usableTrials(group);
    const auto completed = std::count_if(
        group.trials.begin(), group.trials.end(), [](const ReportTrial* trial) { return trial->isCompleted(); });
    if (!candidates.empty())
        sentences.push_back(bestSentence(group, candidates, comparison));
    else
        sentences.push_back(completed > 0 ? "None of these settings fits." : "None of these settings completed.");
    if (group.reference == nullptr)
        return sentences;
    if (!group.reference->isCompleted())
        sentences.push_back(referenceSentence(*group.reference, comparison));
    const std::vector<Price> prices = pricesOf(group, comparison);
    const ReportTrial* cheapestTrial = nullptr;
    if (prices.size() > kFewToChoose) {
        cheapestTrial = cheapest(prices).trial;
        sentences.push_back(priceSentence(cheapest(prices), *group.reference, comparison));
    }
    const Trials worth = worthASentence(group);
    for (const ReportTrial* trial : worth) {
        const bool isExplained = worth.size() <= kMostExplained || trial == worth.back() || trial == cheapestTrial;
        if (const std::string text = versusSentence(*trial, *group.reference, comparison); !text.empty())
            sentences.push_back(text + (isExplained ? whySentence(*trial, *group.reference) : ""));
    }
    return sentences;
}

} // namespace headroom::report
