// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/EffectFigures.h"

#include "experiments/figures/effects/EffectsFigure.h"
#include "experiments/report/FigureTerms.h"
#include "experiments/report/effects/EffectSentences.h"

#include <algorithm>
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

} // namespace

figures::Figure effectBarsOf(const Effects& effects)
{
    figures::EffectBarsInput input;
    input.title = "What each technique changes, and two together beyond their sum";
    input.memory = name(effects.peak);
    input.provenance = provenanceOfGrid(effects);
    for (const MainEffect& effect : effects.main)
        input.bars.push_back({effect.level.text(), effect.mean.peakBytes,
            relative(effect.mean.peakBytes, effect.referencePeakBytes), false, {}});
    for (const Interaction& of : effects.interactions)
        input.bars.push_back({of.a.text() + " × " + of.b.text(), of.together.peakBytes,
            relative(of.together.peakBytes, of.neitherPeakBytes), true, sentenceFor(of)});
    return figures::effectBarsFigure(input);
}

std::vector<figures::Figure> interactionPlotsOf(const Effects& effects, std::size_t most)
{
    std::vector<const Interaction*> notable;
    for (const Interaction& of : effects.interactions)
        if (of.together.peakBytes
            && std::abs(relative(of.together.peakBytes, of.neitherPeakBytes).value_or(0)) >= kNotableShare)
            notable.push_back(&of);
    std::ranges::stable_sort(notable, [](const Interaction* l, const Interaction* r) {
        return std::abs(*l->together.peakBytes) > std::abs(*r->together.peakBytes);
    });
    notable.resize(std::min(notable.size(), most));
    std::vector<figures::Figure> plots;
    for (const Interaction* of : notable)
        plots.push_back(figures::interactionFigure(interactionInput(effects, *of)));
    return plots;
}

} // namespace headroom::report
