// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// A technique that varies among the trials of a grid.
struct EffectFactor {
    std::string technique;
    /// Its settings, "off", "e4m3", "4 (accumulate out_of_place)"; the first is what the others are compared with: the
    /// technique's off if it is there, else the first of the sweep.
    std::vector<std::string> levels;

    bool operator==(const EffectFactor&) const = default;
};

/// Which figure the peaks of a grid are. Needed: context and reserved memory of the whole trial, which trials that run
/// out of memory on a simulated device have too.
enum class EffectPeak { Allocated, Reserved, Needed };

/// "allocated", "reserved", "needed"
std::string name(EffectPeak peak);
/// What it is called in tables and plots: "peak allocated", "peak reserved", "memory needed".
std::string titleOf(EffectPeak peak);
/// Throws UsageError at `where` for any other word.
EffectPeak effectPeakFromText(const std::string& text, const std::string& where);

std::optional<Bytes> peakOf(const ReportTrial& trial, EffectPeak peak);

/// A level of each factor.
using EffectCell = std::vector<std::size_t>;

/// Trials that differ in techniques alone, by the setting of each technique. `group` must outlive it.
class EffectGrid {
public:
    explicit EffectGrid(const ComparisonGroup& group);

    const ComparisonGroup& group() const { return *m_group; }
    /// In the order of the catalogue.
    const std::vector<EffectFactor>& factors() const { return m_factors; }
    const std::map<EffectCell, const ReportTrial*>& trials() const { return m_trials; }
    /// nullptr where the sweep has no such combination.
    const ReportTrial* at(const EffectCell& cell) const;
    /// Every combination of the levels.
    std::size_t size() const;
    /// How many combinations there are of the levels of all factors but these.
    std::size_t sizeWithout(const std::vector<std::size_t>& factors) const;
    /// "casting e4m3, checkpointing all": the levels other than the first ones; "baseline" if there are none.
    std::string labelOf(const EffectCell& cell) const;

private:
    const ComparisonGroup* m_group;
    std::vector<EffectFactor> m_factors;
    std::map<EffectCell, const ReportTrial*> m_trials;
};

/// The grids of a comparison: of its groups those in which a technique varies.
std::vector<EffectGrid> effectGrids(const Comparison& comparison);

/// Those of them in which two techniques or more vary, and which have a trial with both for some pair: there is
/// something to be said about techniques together.
std::vector<EffectGrid> crossedGrids(std::vector<EffectGrid> grids);

/// Needed, if some trial ran out of memory and all that have a peak have that figure; else Allocated, whose parts are
/// known by category.
EffectPeak suitablePeak(const std::vector<EffectGrid>& grids);

} // namespace headroom::report
