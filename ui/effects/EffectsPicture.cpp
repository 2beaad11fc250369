// SPDX-License-Identifier: Apache-2.0
#include "ui/effects/EffectsPicture.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/effects/EffectFigures.h"
#include "experiments/report/effects/EffectSentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostPlots = 12;

FigurePtr shared(figures::Figure figure)
{
    return std::make_shared<const figures::Figure>(std::move(figure));
}

std::string shareOfEffect(const std::optional<double>& share)
{
    return share ? " (" + signedPercentText(*share) + ")" : std::string();
}

std::string stepText(const report::MainEffect& effect)
{
    if (!effect.mean.stepSeconds)
        return "the step time is not known";
    const double seconds = *effect.mean.stepSeconds;
    const auto share = report::relative(effect.mean.stepSeconds, effect.referenceStepSeconds);
    if (!share || std::abs(*share) < kLeastShownChange)
        return "a step takes as long";
    return fmt::format("a step takes {} {}{}", timeText(std::llround(std::abs(seconds) * 1e9)),
        seconds < 0 ? "less" : "more", shareOfEffect(share));
}

// "casting e4m3 instead of off saves 0.680 GiB of the peak (-7.7 %), and a step takes 12 ms more (+1.5 %), on average
// ..."
std::string sentenceOfMain(const report::MainEffect& effect)
{
    const std::string peak = effect.mean.peakBytes ? report::changeText(*effect.mean.peakBytes) + " of the peak"
            + shareOfEffect(report::relative(effect.mean.peakBytes, effect.referencePeakBytes))
                                                   : "changes the peak by what is not known";
    return fmt::format("{} instead of {} {}, and {}, on average over the other techniques.", effect.level.text(),
        effect.reference, peak, stepText(effect));
}

std::string sentenceOfPair(const report::Interaction& of)
{
    const std::string sentence = report::sentenceFor(of);
    return sentence.empty() ? "Of this pair too few trials have a peak." : sentence;
}

} // namespace

EffectsPicture::EffectsPicture(Results results, const EffectsChoice& choice)
    : m_results(std::move(results))
{
    const std::vector<report::EffectGrid> grids = report::effectGrids(m_results->comparison());
    for (const report::EffectGrid& grid : grids)
        m_groups.append(QString::fromStdString(grid.group().title));
    if (grids.empty())
        return;
    m_peak = choice.peak.value_or(report::suitablePeak(grids));
    compute(report::effectsOf(grids[choice.group < grids.size() ? choice.group : 0], m_peak));
}

void EffectsPicture::compute(const report::Effects& effects)
{
    m_mainTable = report::mainEffectTable(effects);
    m_pairTable = report::interactionTable(effects);
    for (const report::MainEffect& effect : effects.main)
        m_mainSentences.append(QString::fromStdString(sentenceOfMain(effect)));
    for (const report::Interaction& of : effects.interactions)
        m_pairSentences.append(QString::fromStdString(sentenceOfPair(of)));
    m_cautions = QString::fromStdString(joined(report::cautionsOf(effects), " "));
    m_peakBars = shared(report::effectBarsOf(effects));
    if (auto bars = report::stepBarsOf(effects))
        m_stepBars = shared(std::move(*bars));
    plotPairs(effects);
}

// Plots come in the order of notable pairs that have a peak.
void EffectsPicture::plotPairs(const report::Effects& effects)
{
    std::vector<figures::Figure> plots = report::interactionPlotsOf(effects, kMostPlots);
    std::size_t plot = 0;
    for (const report::Interaction* of : report::notablePairs(effects)) {
        const auto row = static_cast<std::size_t>(of - effects.interactions.data());
        if (!m_strongest)
            m_strongest = row;
        if (of->together.peakBytes && plot < plots.size())
            m_pairPlots.emplace_back(row, shared(std::move(plots[plot++])));
    }
}

} // namespace headroom::ui
