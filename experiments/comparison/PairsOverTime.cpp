// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/PairsOverTime.h"

#include <array>
#include <utility>

namespace headroom::experiments {
namespace {

constexpr std::array<std::pair<const char*, figures::Alignment>, 4> kAlignments{
    {{"phase", figures::Alignment::Stretched}, {"step", figures::Alignment::Steps},
        {"start", figures::Alignment::Start}, {"share", figures::Alignment::Share}}};

} // namespace

std::string toText(figures::Alignment alignment)
{
    for (const auto& [name, known] : kAlignments)
        if (known == alignment)
            return name;
    return "phase";
}

std::optional<figures::Alignment> alignmentFromText(const std::string& text)
{
    for (const auto& [name, alignment] : kAlignments)
        if (name == text)
            return alignment;
    return std::nullopt;
}

void layOverTime(ResultComparison& comparison, const ComparedRun& a, const ComparedRun& b,
    std::optional<figures::Alignment> wish, std::size_t stretches)
{
    for (TrialPair& pair : comparison.pairs) {
        const auto timelineA = a.timelineOf ? a.timelineOf(pair.a) : std::nullopt;
        const auto timelineB = timelineA && b.timelineOf ? b.timelineOf(pair.b) : std::nullopt;
        if (!timelineB)
            continue;
        const bool isPossible = wish && canAlign(*timelineA, *timelineB, *wish);
        pair.overTime = differenceOverTime(
            *timelineA, *timelineB, isPossible ? *wish : bestAlignment(*timelineA, *timelineB), stretches);
    }
}

} // namespace headroom::experiments
