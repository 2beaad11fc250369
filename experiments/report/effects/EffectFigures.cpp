// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/EffectFigures.h"

#include "core/base/Quantities.h"
#include "experiments/figures/effects/EffectsFigure.h"
#include "experiments/report/FigureTerms.h"
#include "experiments/report/effects/EffectSentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::report {
namespace {

figures::Provenance provenanceOfGrid(const Effects& effects)
{
    return provenanceOf(*effects.grid->group().trials.front());
}

std::string referenceOf(const Effects& effects, const EffectLevel& level)
{
    for (const EffectFactor& factor : effects.grid->factors())
        if (factor.technique == level.technique)
            return level.technique + " " + factor.levels.front();
    return level.technique;
}

figures::InteractionInput interactionInput(const Effects& effects, const Interaction& of)
{
    const bool isTurned = std::abs(*of.bWithA.peakBytes) + std::abs(*of.bWithoutA.peakBytes)
        < std::abs(*of.aWithB.peakBytes) + std::abs(*of.aWithoutB.peakBytes);
    const EffectLevel& across = isTurned ? of.b : of.a;
    const EffectLevel& lines = isTurned ? of.a : of.b;
    const Bytes neither = *of.neitherPeakBytes;
    const Bytes onlyA = neither + *of.aWithoutB.peakBytes;
    const Bytes onlyB = neither + *of.bWithoutA.peakBytes;
    return {.a = across.technique,
        .aWithout = referenceOf(effects, across),
        .aWith = across.text(),
        .bWithout = referenceOf(effects, lines),
        .bWith = lines.text(),
        .memory = name(effects.peak),
        .provenance = provenanceOfGrid(effects),
        .neither = neither,
        .onlyA = isTurned ? onlyB : onlyA,
        .onlyB = isTurned ? onlyA : onlyB,
        .both = onlyB + *of.aWithB.peakBytes,
        .text = sentenceFor(of)};
}

std::string pairName(const Interaction& of)
{
    return of.a.text() + " × " + of.b.text();
}

SizeUnit peakUnit(const Effects& effects)
{
    Bytes largest = 0;
    for (const MainEffect& effect : effects.main)
        largest = std::max(largest, std::abs(effect.mean.peakBytes.value_or(0)));
    for (const Interaction& of : effects.interactions)
        largest = std::max(largest, std::abs(of.together.peakBytes.value_or(0)));
    return axisUnitFor(largest);
}

std::optional<double> inUnitOf(const std::optional<Bytes>& bytes, const SizeUnit& unit)
{
    return bytes ? std::optional(unit.of(*bytes)) : std::nullopt;
}

std::int64_t longestChange(const Effects& effects)
{
    double longest = 0;
    for (const MainEffect& effect : effects.main)
        longest = std::max(longest, std::abs(effect.mean.stepSeconds.value_or(0)));
    for (const Interaction& of : effects.interactions)
        longest = std::max(longest, std::abs(of.together.stepSeconds.value_or(0)));
    return std::llround(longest * 1e9);
}

std::string signedTimeText(double seconds)
{
    return (seconds > 0 ? "+" : seconds < 0 ? "-" : "") + timeText(std::llround(std::abs(seconds) * 1e9));
}

std::string shareInBrackets(const std::optional<double>& share)
{
    return share ? fmt::format(" ({})", signedPercentText(*share)) : std::string();
}

} // namespace

figures::Figure effectBarsOf(const Effects& effects)
{
    const SizeUnit unit = peakUnit(effects);
    const auto shown = [](const std::optional<Bytes>& bytes, const std::optional<double>& share) {
        return bytes ? signedSizeText(*bytes) + shareInBrackets(share) : std::string("not known");
    };
    figures::EffectBarsInput input{
        .title = "What each technique changes of the peak, and two together beyond their sum",
        .axis = fmt::format("Change of {} ({})", titleOf(effects.peak), unit.name),
        .less = "saves memory",
        .more = "takes more",
        .provenance = provenanceOfGrid(effects),
        .bars = {}};
    for (const MainEffect& effect : effects.main)
        input.bars.push_back({effect.level.text(), inUnitOf(effect.mean.peakBytes, unit),
            shown(effect.mean.peakBytes, relative(effect.mean.peakBytes, effect.referencePeakBytes)), false, {}});
    for (const Interaction& of : effects.interactions)
        input.bars.push_back({pairName(of), inUnitOf(of.together.peakBytes, unit),
            shown(of.together.peakBytes, relative(of.together.peakBytes, of.neitherPeakBytes)), true, sentenceFor(of)});
    return figures::effectBarsFigure(input);
}

std::optional<figures::Figure> stepBarsOf(const Effects& effects)
{
    const TimeUnit unit = timeUnitFor(longestChange(effects));
    const auto shown = [&](const std::optional<double>& seconds, const std::optional<double>& share) {
        return seconds ? signedTimeText(*seconds) + shareInBrackets(share) : std::string("not known");
    };
    const auto value = [&](const std::optional<double>& seconds) {
        return seconds ? std::optional(unit.of(std::llround(*seconds * 1e9))) : std::nullopt;
    };
    figures::EffectBarsInput input{
        .title = "What each technique changes of the step time, and two together beyond their sum",
        .axis = fmt::format("Change of the step time ({})", unit.name),
        .less = "saves time",
        .more = "takes more",
        .provenance = provenanceOfGrid(effects),
        .bars = {}};
    for (const MainEffect& effect : effects.main)
        input.bars.push_back({effect.level.text(), value(effect.mean.stepSeconds),
            shown(effect.mean.stepSeconds, relative(effect.mean.stepSeconds, effect.referenceStepSeconds)), false, {}});
    for (const Interaction& of : effects.interactions)
        input.bars.push_back({pairName(of), value(of.together.stepSeconds),
            shown(of.together.stepSeconds, relative(of.together.stepSeconds, of.neitherStepSeconds)), true, {}});
    if (std::ranges::none_of(input.bars, [](const figures::EffectBar& bar) { return bar.value.has_value(); }))
        return std::nullopt;
    return figures::effectBarsFigure(input);
}

std::vector<figures::Figure> interactionPlotsOf(const Effects& effects, std::size_t most)
{
    std::vector<const Interaction*> notable = notablePairs(effects);
    std::erase_if(notable, [](const Interaction* of) { return !of->together.peakBytes; });
    notable.resize(std::min(notable.size(), most));
    std::vector<figures::Figure> plots;
    for (const Interaction* of : notable)
        plots.push_back(figures::interactionFigure(interactionInput(effects, *of)));
    return plots;
}

} // namespace headroom::report
