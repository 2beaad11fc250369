// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/EffectGrid.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"

#include <algorithm>

namespace headroom::report {
namespace {

const config::TechniqueSetting& settingIn(const ReportTrial& trial, const std::string& technique)
{
    return trial.planned.configuration.technique(technique);
}

// "e4m3", "4 (accumulate out_of_place)"
std::string levelText(const config::TechniqueDescriptor& technique, const ReportTrial& trial)
{
    return config::settingLabel(technique, settingIn(trial, technique.key)).substr(technique.key.size() + 1);
}

EffectFactor factorOf(const config::TechniqueDescriptor& technique, const std::vector<const ReportTrial*>& trials)
{
    EffectFactor factor{technique.key, {}};
    for (const ReportTrial* trial : trials)
        if (const std::string level = levelText(technique, *trial);
            std::ranges::find(factor.levels, level) == factor.levels.end())
            factor.levels.push_back(level);
    const auto off = std::ranges::find(factor.levels, technique.off);
    if (off != factor.levels.end())
        std::rotate(factor.levels.begin(), off, std::next(off));
    return factor;
}

EffectCell cellOf(const ReportTrial& trial, const std::vector<EffectFactor>& factors)
{
    EffectCell cell;
    for (const EffectFactor& factor : factors) {
        const std::string level = levelText(config::findTechnique(factor.technique, "technique"), trial);
        cell.push_back(static_cast<std::size_t>(std::ranges::find(factor.levels, level) - factor.levels.begin()));
    }
    return cell;
}

constexpr const char* kPeakWords[] = {"allocated", "reserved", "needed"};

} // namespace

std::string name(EffectPeak peak)
{
    return kPeakWords[static_cast<std::size_t>(peak)];
}

std::string titleOf(EffectPeak peak)
{
    return peak == EffectPeak::Needed ? "memory needed" : "peak " + name(peak);
}

EffectPeak effectPeakFromText(const std::string& text, const std::string& where)
{
    for (const EffectPeak peak : {EffectPeak::Allocated, EffectPeak::Reserved, EffectPeak::Needed})
        if (name(peak) == text)
            return peak;
    throw UsageError("found \"" + text + "\"", where, "allocated, reserved, needed");
}

std::optional<Bytes> peakOf(const ReportTrial& trial, EffectPeak peak)
{
    if (peak == EffectPeak::Needed)
        return trial.result.memory.need.needed;
    if (!trial.isCompleted())
        return std::nullopt;
    return peakOf(trial, peak == EffectPeak::Reserved ? MemoryFigure::Reserved : MemoryFigure::Allocated);
}

EffectGrid::EffectGrid(const ComparisonGroup& group)
    : m_group(&group)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (EffectFactor factor = factorOf(technique, group.trials); factor.levels.size() > 1)
            m_factors.push_back(std::move(factor));
    for (const ReportTrial* trial : group.trials)
        m_trials.try_emplace(cellOf(*trial, m_factors), trial);
}

const ReportTrial* EffectGrid::at(const EffectCell& cell) const
{
    const auto found = m_trials.find(cell);
    return found == m_trials.end() ? nullptr : found->second;
}

std::size_t EffectGrid::size() const
{
    return sizeWithout({});
}

std::size_t EffectGrid::sizeWithout(const std::vector<std::size_t>& factors) const
{
    std::size_t size = 1;
    for (std::size_t i = 0; i < m_factors.size(); ++i)
        if (std::ranges::find(factors, i) == factors.end())
            size *= m_factors[i].levels.size();
    return size;
}

std::string EffectGrid::labelOf(const EffectCell& cell) const
{
    std::string text;
    for (std::size_t i = 0; i < cell.size(); ++i)
        if (cell[i] > 0)
            text += (text.empty() ? "" : ", ") + m_factors[i].technique + " " + m_factors[i].levels[cell[i]];
    return text.empty() ? "baseline" : text;
}

std::vector<EffectGrid> effectGrids(const Comparison& comparison)
{
    std::vector<EffectGrid> grids;
    for (const ComparisonGroup& group : comparison.groups())
        if (EffectGrid grid(group); !grid.factors().empty())
            grids.push_back(std::move(grid));
    return grids;
}

std::vector<EffectGrid> crossedGrids(std::vector<EffectGrid> grids)
{
    std::erase_if(grids, [](const EffectGrid& grid) {
        return std::ranges::none_of(grid.trials(), [](const auto& entry) {
            return std::ranges::count_if(entry.first, [](std::size_t level) { return level > 0; }) > 1;
        });
    });
    return grids;
}

EffectPeak suitablePeak(const std::vector<EffectGrid>& grids)
{
    bool hasShortage = false;
    for (const EffectGrid& grid : grids)
        for (const auto& [cell, trial] : grid.trials()) {
            const bool isShort = trial->result.outcome == Outcome::OutOfMemory;
            hasShortage = hasShortage || isShort;
            if ((isShort || trial->isCompleted()) && !peakOf(*trial, EffectPeak::Needed))
                return EffectPeak::Allocated;
        }
    return hasShortage ? EffectPeak::Needed : EffectPeak::Allocated;
}

} // namespace headroom::report
