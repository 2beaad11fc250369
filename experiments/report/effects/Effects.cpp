// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/Effects.h"

#include <cmath>

namespace headroom::report {
namespace {

// What sums of times that cancel leave behind.
constexpr double kLeastSeconds = 1e-9;

/// A sum with the number of its terms.
struct Mean {
    double sum = 0;
    std::size_t count = 0;

    void add(double value)
    {
        sum += value;
        ++count;
    }
    std::optional<double> value() const
    {
        return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
    }
    std::optional<Bytes> bytes() const
    {
        const auto mean = value();
        return mean ? std::optional<Bytes>(std::llround(*mean)) : std::nullopt;
    }
};

/// Trials with the sign that each has in a contrast.
using Contrast = std::vector<std::pair<const ReportTrial*, int>>;

/// The mean of a contrast over sets of trials.
class ContrastMean {
public:
    explicit ContrastMean(EffectPeak peak)
        : m_peak(peak)
    {
    }

    // Of each figure only if all trials have it.
    void add(const Contrast& contrast)
    {
        addTo(m_peaks, contrast, [this](const ReportTrial& trial) -> std::optional<double> {
            const auto bytes = peakOf(trial, m_peak);
            return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
        });
        addTo(m_steps, contrast, [](const ReportTrial& trial) { return trial.result.speed.stepSeconds; });
        addCategories(contrast);
    }

    Change change() const
    {
        Change change{m_peaks.bytes(), m_steps.value(), {}};
        if (change.stepSeconds && std::abs(*change.stepSeconds) < kLeastSeconds)
            change.stepSeconds = 0;
        if (m_breakdowns != m_peaks.count) // of other trials than the peak
            return change;
        for (const auto& [category, sum] : m_categories)
            if (const Bytes bytes = std::llround(sum / static_cast<double>(m_breakdowns)); bytes != 0)
                change.categories.emplace(category, bytes);
        return change;
    }

    std::size_t peaks() const { return m_peaks.count; }
    std::size_t steps() const { return m_steps.count; }

private:
    template <typename Figure> static void addTo(Mean& mean, const Contrast& contrast, const Figure& figure)
    {
        double sum = 0;
        for (const auto& [trial, sign] : contrast) {
            const auto value = figure(*trial);
            if (!value)
                return;
            sum += sign * *value;
        }
        mean.add(sum);
    }

    void addCategories(const Contrast& contrast)
    {
        for (const auto& [trial, sign] : contrast)
            if (!trial->result.breakdown)
                return;
        ++m_breakdowns;
        for (const auto& [trial, sign] : contrast)
            for (const auto& [category, bytes] : trial->result.breakdown->categories)
                m_categories[category] += sign * static_cast<double>(bytes);
    }

    EffectPeak m_peak;
    Mean m_peaks;
    Mean m_steps;
    std::map<std::string, double> m_categories;
    std::size_t m_breakdowns = 0;
};

EffectLevel levelOf(const EffectGrid& grid, std::size_t factor, std::size_t level)
{
    return {grid.factors()[factor].technique, grid.factors()[factor].levels[level]};
}

bool isAlone(const EffectCell& cell, std::size_t factor)
{
    for (std::size_t i = 0; i < cell.size(); ++i)
        if (i != factor && cell[i] != 0)
            return false;
    return true;
}

MainEffect mainEffect(const EffectGrid& grid, EffectPeak peak, std::size_t factor, std::size_t level)
{
    ContrastMean mean(peak), alone(peak), reference(peak);
    for (const auto& [cell, trial] : grid.trials()) {
        EffectCell other = cell;
        other[factor] = 0;
        const ReportTrial* compared = cell[factor] == level ? grid.at(other) : nullptr;
        if (compared == nullptr)
            continue;
        const Contrast pair{{trial, 1}, {compared, -1}};
        mean.add(pair);
        if (isAlone(cell, factor))
            alone.add(pair);
        reference.add({{compared, 1}, {trial, 0}}); // with the same trials known
    }
    const Change whole = reference.change();
    return {levelOf(grid, factor, level), grid.factors()[factor].levels.front(), mean.change(), alone.change(),
        whole.peakBytes, whole.stepSeconds, {mean.peaks(), mean.steps(), grid.sizeWithout({factor})}};
}

/// The four trials of an interaction.
struct Quadruple {
    const ReportTrial* neither;
    const ReportTrial* a;
    const ReportTrial* b;
    const ReportTrial* both;

    bool isWhole() const { return neither != nullptr && a != nullptr && b != nullptr && both != nullptr; }
};

/// Where two factors stand at two levels.
struct Place {
    std::size_t a, aLevel, b, bLevel;
};

Quadruple quadrupleAt(const EffectGrid& grid, const EffectCell& cell, const Place& place)
{
    const auto trialAt = [&](std::size_t a, std::size_t b) {
        EffectCell other = cell;
        other[place.a] = a;
        other[place.b] = b;
        return grid.at(other);
    };
    return {trialAt(0, 0), trialAt(place.aLevel, 0), trialAt(0, place.bLevel), trialAt(place.aLevel, place.bLevel)};
}

Interaction interaction(const EffectGrid& grid, EffectPeak peak, const Place& place)
{
    ContrastMean together(peak), aWithoutB(peak), aWithB(peak), bWithoutA(peak), bWithA(peak), neither(peak);
    for (const auto& [cell, trial] : grid.trials()) {
        if (cell[place.a] != place.aLevel || cell[place.b] != place.bLevel)
            continue;
        const Quadruple four = quadrupleAt(grid, cell, place);
        if (!four.isWhole())
            continue;
        // Each names all four: a figure counts where all of them have it, so that the means add up.
        together.add({{four.both, 1}, {four.a, -1}, {four.b, -1}, {four.neither, 1}});
        aWithoutB.add({{four.both, 0}, {four.a, 1}, {four.b, 0}, {four.neither, -1}});
        aWithB.add({{four.both, 1}, {four.a, 0}, {four.b, -1}, {four.neither, 0}});
        bWithoutA.add({{four.both, 0}, {four.a, 0}, {four.b, 1}, {four.neither, -1}});
        bWithA.add({{four.both, 1}, {four.a, -1}, {four.b, 0}, {four.neither, 0}});
        neither.add({{four.both, 0}, {four.a, 0}, {four.b, 0}, {four.neither, 1}});
    }
    const Change whole = neither.change();
    return {levelOf(grid, place.a, place.aLevel), levelOf(grid, place.b, place.bLevel), together.change(),
        aWithoutB.change(), aWithB.change(), bWithoutA.change(), bWithA.change(), whole.peakBytes, whole.stepSeconds,
        {together.peaks(), together.steps(), grid.sizeWithout({place.a, place.b})}};
}

std::vector<MainEffect> mainEffects(const EffectGrid& grid, EffectPeak peak)
{
    std::vector<MainEffect> effects;
    for (std::size_t factor = 0; factor < grid.factors().size(); ++factor)
        for (std::size_t level = 1; level < grid.factors()[factor].levels.size(); ++level)
            effects.push_back(mainEffect(grid, peak, factor, level));
    return effects;
}

std::vector<Interaction> interactions(const EffectGrid& grid, EffectPeak peak)
{
    std::vector<Interaction> effects;
    const std::vector<EffectFactor>& factors = grid.factors();
    for (std::size_t a = 0; a < factors.size(); ++a)
        for (std::size_t b = a + 1; b < factors.size(); ++b)
            for (std::size_t aLevel = 1; aLevel < factors[a].levels.size(); ++aLevel)
                for (std::size_t bLevel = 1; bLevel < factors[b].levels.size(); ++bLevel)
                    effects.push_back(interaction(grid, peak, {a, aLevel, b, bLevel}));
    return effects;
}

// Grids are small; one of very many factors is no grid, and its missing cells are not listed one by one.
std::vector<std::string> missingOf(const EffectGrid& grid, EffectPeak peak)
{
    constexpr std::size_t kMostListed = 4096;
    std::vector<std::string> missing;
    if (grid.size() > kMostListed)
        return missing;
    EffectCell cell(grid.factors().size(), 0);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const ReportTrial* trial = grid.at(cell);
        if (trial == nullptr || !peakOf(*trial, peak))
            missing.push_back(
                grid.labelOf(cell) + (trial == nullptr ? " (not in the sweep)" : " (" + trial->result.ending() + ")"));
        for (std::size_t factor = cell.size(); factor-- > 0;) {
            if (++cell[factor] < grid.factors()[factor].levels.size())
                break;
            cell[factor] = 0;
        }
    }
    return missing;
}

} // namespace

Effects effectsOf(const EffectGrid& grid, EffectPeak peak)
{
    return {&grid, peak, mainEffects(grid, peak), interactions(grid, peak), missingOf(grid, peak)};
}

std::optional<double> relative(const std::optional<Bytes>& change, const std::optional<Bytes>& whole)
{
    return change && whole && *whole != 0 ? std::optional(static_cast<double>(*change) / static_cast<double>(*whole))
                                          : std::nullopt;
}

std::optional<double> relative(const std::optional<double>& change, const std::optional<double>& whole)
{
    return change && whole && *whole != 0 ? std::optional(*change / *whole) : std::nullopt;
}

} // namespace headroom::report
