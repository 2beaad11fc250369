// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PhaseSpans.h"

#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace headroom::figures {
namespace {

using Phases = std::vector<const trace::PhaseSpan*>;

Phases outermostFirst(std::span<const trace::PhaseSpan> phases)
{
    Phases sorted;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.endNs > phase.beginNs)
            sorted.push_back(&phase);
    std::ranges::stable_sort(sorted, [](const trace::PhaseSpan* a, const trace::PhaseSpan* b) {
        return a->beginNs != b->beginNs ? a->beginNs < b->beginNs : a->endNs > b->endNs;
    });
    return sorted;
}

std::size_t indexOf(std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end())
        names.push_back(name);
    return index;
}

/// The first level whose last span has ended.
std::size_t freeLevel(std::vector<std::int64_t>& ends, const trace::PhaseSpan& phase)
{
    const auto free = std::find_if(ends.begin(), ends.end(), [&](std::int64_t end) { return end <= phase.beginNs; });
    const auto level = static_cast<std::size_t>(free - ends.begin());
    if (free == ends.end())
        ends.push_back(0);
    ends[level] = phase.endNs;
    return level;
}

Hover hoverOf(const PhaseRun& run)
{
    const std::int64_t beginNs = run.first->beginNs;
    return {runTitle(run),
        {fmt::format("{} to {}", timeText(beginNs), timeText(run.endNs)),
            fmt::format("{} long", timeText(run.endNs - beginNs))}};
}

// A screen has no more columns.
constexpr std::int64_t kNarrowOnes = 4'000;
constexpr std::int64_t kMostRuns = 1'000;

} // namespace

// Levels and colours are those of the whole trace: they do not change while a window moves over it.
std::vector<Span> phaseSpans(std::span<const trace::PhaseSpan> phases, const TimeWindow& window, const TimeAxis& axis)
{
    std::vector<PhaseRun> runs;
    std::vector<std::string> names;
    std::vector<std::int64_t> ends;
    std::vector<std::optional<std::size_t>> newest; // of each level
    const PhaseFolding folding(window);
    for (const trace::PhaseSpan* phase : outermostFirst(phases)) {
        const std::size_t level = freeLevel(ends, *phase);
        const std::size_t series = indexOf(names, phase->name);
        if (!folding.isShown(*phase))
            continue;
        newest.resize(ends.size());
        if (newest[level] && folding.join(runs[*newest[level]], *phase))
            continue;
        newest[level] = runs.size();
        runs.push_back({.first = phase, .level = level, .series = series, .endNs = phase->endNs});
    }
    std::vector<Span> spans;
    for (const PhaseRun& run : runs)
        spans.push_back({run.first->name, axis.of(std::max(run.first->beginNs, window.beginNs)),
            axis.of(std::min(run.endNs, window.endNs)), run.level, run.series, hoverOf(run)});
    return spans;
}

PhaseFolding::PhaseFolding(const TimeWindow& window)
    : m_window(window)
    , m_narrowNs(window.lengthNs() / kNarrowOnes)
    , m_runNs(window.lengthNs() / kMostRuns)
{
}

bool PhaseFolding::isShown(const trace::PhaseSpan& phase) const
{
    return std::max(phase.beginNs, m_window.beginNs) < std::min(phase.endNs, m_window.endNs);
}

bool PhaseFolding::join(PhaseRun& run, const trace::PhaseSpan& phase) const
{
    const auto isNarrow = [&](const trace::PhaseSpan& other) { return other.endNs - other.beginNs < m_narrowNs; };
    const bool joins = isNarrow(*run.first) && isNarrow(phase) && phase.beginNs >= run.first->beginNs
        && phase.beginNs - run.endNs < m_narrowNs && phase.endNs - run.first->beginNs <= m_runNs;
    if (!joins)
        return false;
    run.endNs = std::max(run.endNs, phase.endNs);
    ++run.phases;
    return true;
}

std::string runTitle(const PhaseRun& run)
{
    const std::string first = phaseTitle(*run.first);
    return run.phases == 1
        ? first
        : fmt::format("{} and {} more", first, counted(static_cast<std::int64_t>(run.phases) - 1, "phase"));
}

std::string phaseTitle(const trace::PhaseSpan& phase)
{
    return !trace::isOfAStep(phase) ? phase.name : fmt::format("{}, step {}", phase.name, phase.step);
}

} // namespace headroom::figures
