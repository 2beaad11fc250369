// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/EffectSentences.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/MemoryCategory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::report {
namespace {

constexpr double kNamedShare = 0.1; ///< of the largest category: smaller ones are not named
constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kMostMissing = 8;

using Categories = std::map<std::string, Bytes>;

// "upcast copies", "EMA"
std::string categoryWord(const std::string& category)
{
    const auto known = config::memoryCategoryFromText(category);
    return known ? midSentence(std::string(config::titleOf(*known))) : inWords(category);
}

Bytes ofCategory(const Categories& categories, const std::string& category)
{
    const auto found = categories.find(category);
    return found == categories.end() ? 0 : found->second;
}

/// One of the two settings, as the sentence is about it: what it does without and with the other one.
struct Subject {
    const EffectLevel& own;
    const EffectLevel& other;
    const Change& without;
    const Change& with;
    const Change& otherWithout; ///< what the other one does without this one
    const Change& otherWith;

    Bytes withoutBytes() const { return *without.peakBytes; }
    Bytes withBytes() const { return *with.peakBytes; }
    // How much the other one matters for it.
    double dependence() const
    {
        const Bytes largest = std::max({std::abs(withoutBytes()), std::abs(withBytes()), Bytes{1}});
        return static_cast<double>(std::abs(withBytes() - withoutBytes())) / static_cast<double>(largest);
    }
};

// The one whose effect depends on the other the most.
Subject subjectOf(const Interaction& of)
{
    const Subject a{of.a, of.b, of.aWithoutB, of.aWithB, of.bWithoutA, of.bWithA};
    const Subject b{of.b, of.a, of.bWithoutA, of.bWithA, of.aWithoutB, of.aWithB};
    return b.dependence() > a.dependence() ? b : a;
}

// " (3.01 GiB more upcast copies, 1.79 GiB less weights)": the largest parts of a change.
std::string partsText(const Categories& categories)
{
    std::vector<std::pair<std::string, Bytes>> parts(categories.begin(), categories.end());
    std::ranges::stable_sort(
        parts, [](const auto& l, const auto& r) { return std::abs(l.second) > std::abs(r.second); });
    std::vector<std::string> texts;
    for (const auto& [category, bytes] : parts)
        if (texts.size() < kMostNamed
            && static_cast<double>(std::abs(bytes)) >= kNamedShare * static_cast<double>(std::abs(parts[0].second)))
            texts.push_back(moreOrLessText(bytes) + " " + categoryWord(category));
    return texts.empty() ? "" : " (" + joined(texts) + ")";
}

// The category in which the effect differs the most in the direction of the interaction.
std::string decidingCategory(const Subject& subject)
{
    const Bytes whole = subject.withBytes() - subject.withoutBytes();
    const Bytes sign = whole < 0 ? -1 : 1;
    std::string deciding;
    Bytes most = 0;
    for (const Categories* side : {&subject.without.categories, &subject.with.categories})
        for (const auto& [category, bytes] : *side) {
            const Bytes difference = sign
                * (ofCategory(subject.with.categories, category) - ofCategory(subject.without.categories, category));
            if (difference > most) {
                most = difference;
                deciding = category;
            }
        }
    return deciding;
}

bool isNothing(Bytes change, const Interaction& of)
{
    return std::abs(relative(std::optional(change), of.neitherPeakBytes).value_or(1)) < kNotableShare / 2;
}

bool saves(Bytes change, const Interaction& of)
{
    return change < 0 && !isNothing(change, of);
}

// "until checkpointing all drops the upcast copies"; what the other one does to the category decides the word.
std::string until(const Subject& subject)
{
    const std::string category = decidingCategory(subject);
    if (!category.empty() && ofCategory(subject.otherWith.categories, category) < 0)
        return fmt::format("until {} drops the {}", subject.other.text(), categoryWord(category));
    return "without " + subject.other.text();
}

// "once checkpointing all has dropped the saved activations"
std::string once(const Subject& subject)
{
    const std::string category = decidingCategory(subject);
    if (!category.empty() && ofCategory(subject.otherWithout.categories, category) < 0)
        return fmt::format("once {} has dropped the {}", subject.other.text(), categoryWord(category));
    return "beside " + subject.other.text();
}

std::string because(const Subject& subject)
{
    const std::string category = decidingCategory(subject);
    return category.empty() ? "" : ", most of the difference being " + categoryWord(category);
}

std::string amounts(const Subject& subject)
{
    return fmt::format(": it {}{} without it, and {}{} with it", changeText(subject.withoutBytes()),
        partsText(subject.without.categories), changeText(subject.withBytes()), partsText(subject.with.categories));
}

std::string peakSentence(const Interaction& of)
{
    const Subject subject = subjectOf(of);
    const std::string own = subject.own.text();
    const bool savesWithout = saves(subject.withoutBytes(), of);
    const bool savesWith = saves(subject.withBytes(), of);
    if (!savesWithout && savesWith)
        return own + " saves nothing " + until(subject) + amounts(subject);
    if (savesWithout && !savesWith)
        return own + " saves nothing " + once(subject) + amounts(subject);
    const bool isMore = std::abs(subject.withBytes()) > std::abs(subject.withoutBytes());
    const std::string verb = savesWith ? "saves" : "adds";
    if (isMore)
        return fmt::format(
            "{} {} more beside {}{}{}", own, verb, subject.other.text(), because(subject), amounts(subject));
    return fmt::format("{} {} less {}{}", own, verb, once(subject), amounts(subject));
}

std::string additiveSentence(const Interaction& of)
{
    return fmt::format("{} and {} add up: the one {} of the peak and the other {}, with and without each other",
        of.a.text(), of.b.text(), changeText(*of.aWithoutB.peakBytes), changeText(*of.bWithoutA.peakBytes));
}

bool isNotablePeak(const Interaction& of)
{
    return std::abs(relative(of.together.peakBytes, of.neitherPeakBytes).value_or(0)) >= kNotableShare;
}

bool isNotableStep(const Interaction& of)
{
    return std::abs(relative(of.together.stepSeconds, of.neitherStepSeconds).value_or(0)) >= kNotableShare;
}

std::string stepSentence(const Interaction& of)
{
    if (!isNotableStep(of))
        return {};
    const double seconds = *of.together.stepSeconds;
    return fmt::format(" Together they take {} {} for a step than the sum of both says.",
        timeText(std::llround(std::abs(seconds) * 1e9)), seconds > 0 ? "more" : "less");
}

} // namespace

std::string changeText(Bytes change)
{
    if (change == 0)
        return "changes nothing";
    return (change < 0 ? "saves " : "adds ") + sizeText(std::abs(change));
}

bool isNotable(const Interaction& interaction)
{
    return isNotablePeak(interaction) || isNotableStep(interaction);
}

std::vector<const Interaction*> notablePairs(const Effects& effects)
{
    std::vector<const Interaction*> notable;
    for (const Interaction& of : effects.interactions)
        if (isNotable(of))
            notable.push_back(&of);
    std::ranges::stable_sort(notable, [](const Interaction* l, const Interaction* r) {
        return std::abs(l->together.peakBytes.value_or(0)) > std::abs(r->together.peakBytes.value_or(0));
    });
    return notable;
}

std::string sentenceFor(const Interaction& interaction)
{
    if (!interaction.together.peakBytes)
        return {};
    const std::string peak = isNotablePeak(interaction) ? peakSentence(interaction) : additiveSentence(interaction);
    return peak + "." + stepSentence(interaction);
}

std::vector<std::string> cautionsOf(const Effects& effects)
{
    if (effects.missing.empty())
        return {};
    std::vector<std::string> named(effects.missing.begin(),
        effects.missing.begin() + static_cast<std::ptrdiff_t>(std::min(effects.missing.size(), kMostMissing)));
    if (effects.missing.size() > kMostMissing)
        named.push_back(fmt::format("{} more", effects.missing.size() - kMostMissing));
    return {
        fmt::format("{} of {} combinations {} no {} peak: {}. Effects are means over the pairs and quadruples that are "
                    "whole, so those of different settings rest on different trials.",
            effects.missing.size(), effects.grid->size(), effects.missing.size() == 1 ? "has" : "have",
            name(effects.peak), joined(named))};
}

} // namespace headroom::report
