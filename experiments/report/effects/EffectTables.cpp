// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/EffectTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::report {
namespace {

/// Cells of one table: sizes in one unit, predictions marked.
class EffectCells {
public:
    explicit EffectCells(const Effects& effects)
        : m_origin(originOf(effects.grid->group().trials.front()->provenance()))
    {
        Bytes largest = 0;
        for (const MainEffect& effect : effects.main)
            for (const Change* change : {&effect.mean, &effect.alone})
                largest = std::max(largest, std::abs(change->peakBytes.value_or(0)));
        m_unit = axisUnitFor(largest);
    }

    const std::string& unit() const { return m_unit.name; }

    ReportCell bytes(const std::optional<Bytes>& change) const
    {
        return change
            ? ReportCell{*change == 0 ? "0" : signedInUnit(*change, m_unit), m_origin, std::to_string(*change)}
            : ReportCell{kUnknownCell};
    }

    ReportCell share(const std::optional<double>& change) const
    {
        return change ? ReportCell{signedPercentText(*change), m_origin, exact(*change)} : ReportCell{kUnknownCell};
    }

    ReportCell milliseconds(const std::optional<double>& seconds) const
    {
        if (!seconds)
            return {kUnknownCell};
        const std::string size = significant(std::abs(*seconds) * 1e3);
        const std::string sign = *seconds > 0 ? "+" : "-";
        return {size == "0" ? size : sign + size, m_origin, exact(*seconds)};
    }

private:
    Origin m_origin;
    SizeUnit m_unit;
};

ReportCell supportCell(const Support& support)
{
    const std::size_t least = std::min(support.peaks, support.steps);
    return {fmt::format("{} of {}", least, support.expected), Origin::Plain, std::to_string(least)};
}

bool isWhole(const Effects& effects)
{
    return std::ranges::all_of(effects.main, [](const MainEffect& effect) { return effect.support.isWhole(); });
}

ReportColumn number(const std::string& title, const std::string& help)
{
    return {title, CellKind::Number, help};
}

} // namespace

ReportTable mainEffectTable(const Effects& effects)
{
    const EffectCells cells(effects);
    const std::string& unit = cells.unit();
    ReportTable table;
    table.columns = {{"technique"}, {"instead of"},
        number("peak, alone (" + unit + ")", "what it changes where every other technique is off"),
        number("peak, on average (" + unit + ")", "mean over the combinations of the others"),
        number("of the peak", "the same, relative to the mean peak without it"),
        number("step, alone (ms)", "what it changes where every other technique is off"),
        number("step, on average (ms)", "mean over the combinations of the others"),
        number("of the step", "the same, relative to the mean step without it")};
    if (!isWhole(effects))
        table.columns.push_back(number("pairs", "pairs of trials that differ in it alone and are both there"));
    for (const MainEffect& effect : effects.main) {
        ReportRow row{{},
            {{effect.level.text()}, {effect.reference}, cells.bytes(effect.alone.peakBytes),
                cells.bytes(effect.mean.peakBytes),
                cells.share(relative(effect.mean.peakBytes, effect.referencePeakBytes)),
                cells.milliseconds(effect.alone.stepSeconds), cells.milliseconds(effect.mean.stepSeconds),
                cells.share(relative(effect.mean.stepSeconds, effect.referenceStepSeconds))}};
        if (!isWhole(effects))
            row.cells.push_back(supportCell(effect.support));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ReportTable interactionTable(const Effects& effects)
{
    const EffectCells cells(effects);
    const std::string& unit = cells.unit();
    ReportTable table;
    table.columns = {{"a"}, {"b"}, number("a without b (" + unit + ")", "what a changes of the peak without b"),
        number("a with b (" + unit + ")", "what a changes of the peak with b"),
        number("interaction (" + unit + ")", "what both change beyond the sum of what each does by itself"),
        number("of the peak", "the same, relative to the mean peak with neither"),
        number("interaction, step (ms)", "the same of the step time"),
        number("of the step", "relative to the mean step")};
    if (!isWhole(effects))
        table.columns.push_back(number("quadruples", "of trials that differ in these two alone and are all there"));
    for (const Interaction& of : effects.interactions) {
        ReportRow row{{},
            {{of.a.text()}, {of.b.text()}, cells.bytes(of.aWithoutB.peakBytes), cells.bytes(of.aWithB.peakBytes),
                cells.bytes(of.together.peakBytes), cells.share(relative(of.together.peakBytes, of.neitherPeakBytes)),
                cells.milliseconds(of.together.stepSeconds),
                cells.share(relative(of.together.stepSeconds, of.neitherStepSeconds))}};
        if (!isWhole(effects))
            row.cells.push_back(supportCell(of.support));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string effectNote(EffectPeak peak)
{
    const std::string what = peak == EffectPeak::Needed
        ? "Peaks are what a trial needs of its device (context and reserved memory), also where it runs out of memory."
        : "Peaks are of " + name(peak) + " memory after warm-up.";
    return what
        + " An effect is the mean change over all combinations of the other techniques; an interaction is what two "
          "settings "
          "change together beyond the sum of what each changes.";
}

} // namespace headroom::report
