// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/OverTimeWords.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/MemoryCategory.h"
#include "experiments/figures/memory/PhaseSpans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace headroom::experiments {
namespace {

constexpr std::int64_t kLeastShareOfTime = 100'000; ///< of a part that is worth a row: a hundred-thousandth

std::string partTitle(const DifferenceOverTime& overTime, const DifferencePart& part)
{
    if (&part == &overTime.whole)
        return "all of it";
    return part.name.empty() ? "(outside of phases)" : part.name;
}

std::string whenText(const DifferenceOverTime& overTime, const DifferenceMoment& moment)
{
    const trace::PhaseSpan* const phase = trace::phaseAt(overTime.phases, moment.aNs);
    return timeText(moment.aNs) + (phase == nullptr ? "" : " (" + figures::phaseTitle(*phase) + ")");
}

// A difference on the other side of zero is none of this kind.
std::string momentText(const DifferenceOverTime& overTime, const std::optional<DifferenceMoment>& moment, bool isWanted)
{
    return moment && isWanted
        ? fmt::format("{} at {}", sizeText(std::abs(moment->difference())), whenText(overTime, *moment))
        : kUnknownCell;
}

bool isAbove(const std::optional<DifferenceMoment>& moment)
{
    return moment && moment->difference() > 0;
}

bool isBelow(const std::optional<DifferenceMoment>& moment)
{
    return moment && moment->difference() < 0;
}

Bytes largestOf(const DifferencePart& part)
{
    return part.most ? std::max(std::abs(part.most->difference()), std::abs(part.least->difference())) : 0;
}

std::string timeShare(std::int64_t ns, const DifferenceOverTime& overTime)
{
    return percentText(static_cast<double>(ns) / static_cast<double>(overTime.whole.lengthNs));
}

std::string averageText(const DifferencePart& part)
{
    const Bytes average = part.average();
    return average == 0 ? "as much on average" : moreOrLessText(average) + " on average";
}

} // namespace

std::string alignmentSentence(figures::Alignment alignment)
{
    switch (alignment) {
    case figures::Alignment::Stretched:
        return "Aligned phase by phase; times are those of A.";
    case figures::Alignment::Steps:
        return "Aligned step by step; times are those of A.";
    case figures::Alignment::Share:
        return "Aligned by share of the whole; times are those of A.";
    case figures::Alignment::Start:
    case figures::Alignment::Phase:
        break;
    }
    return "Aligned at the beginnings.";
}

std::string overTimeSentence(const DifferenceOverTime& overTime, const std::string& a, const std::string& b)
{
    if (overTime.whole.lengthNs == 0)
        return fmt::format("There is no time at which both {} and {} are traced.", a, b);
    if (overTime.aboveNs == 0 && overTime.belowNs == 0)
        return fmt::format("{} has as much allocated as {} all the time.", b, a);
    std::string text =
        fmt::format("{} has more allocated than {} for {} of the {} in which both are traced and less for {}; {}.", b,
            a, timeShare(overTime.aboveNs, overTime), timeText(overTime.whole.lengthNs),
            timeShare(overTime.belowNs, overTime), averageText(overTime.whole));
    if (isAbove(overTime.whole.most))
        text += fmt::format(" Most above {}: {}.", a, momentText(overTime, overTime.whole.most, true));
    if (isBelow(overTime.whole.least))
        text += fmt::format(" Most below: {}.", momentText(overTime, overTime.whole.least, true));
    return text;
}

std::vector<const DifferencePart*> notableParts(const DifferenceOverTime& overTime, std::size_t most)
{
    std::vector<const DifferencePart*> parts;
    for (const DifferencePart& part : overTime.parts)
        if (part.lengthNs > overTime.whole.lengthNs / kLeastShareOfTime)
            parts.push_back(&part);
    std::ranges::stable_sort(
        parts, std::ranges::greater(), [](const DifferencePart* part) { return largestOf(*part); });
    parts.resize(std::min(parts.size(), most));
    std::ranges::sort(parts); // they lie in one list
    return parts;
}

std::vector<report::ReportCell> cellsOfPart(const DifferenceOverTime& overTime, const DifferencePart& part)
{
    return {{partTitle(overTime, part)}, {timeText(part.lengthNs)}, {signedSizeText(part.average())},
        {momentText(overTime, part.most, isAbove(part.most))}, {momentText(overTime, part.least, isBelow(part.least))}};
}

std::string nameOfPeakPart(const std::string& by, const std::string& name)
{
    const std::string way = midSentence(by);
    if (const auto category = config::memoryCategoryFromText(name); way == "category" && category)
        return std::string(config::titleOf(*category));
    if (name.empty())
        return way == "frame" ? "(no call stack)" : "(no module)";
    return name;
}

bool tellsApart(const std::vector<NamedDifference>& differences)
{
    return differences.size() > 1 || (differences.size() == 1 && !differences.front().name.empty());
}

} // namespace headroom::experiments
