// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PhaseSpans.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::figures {
namespace {

std::vector<trace::PhaseSpan> outermostFirst(std::span<const trace::PhaseSpan> phases)
{
    std::vector<trace::PhaseSpan> sorted;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.endNs > phase.beginNs)
            sorted.push_back(phase);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.beginNs != b.beginNs ? a.beginNs < b.beginNs : a.endNs > b.endNs;
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

} // namespace

// Levels and colours are those of the whole trace: they do not change while a window moves over it.
std::vector<Span> phaseSpans(std::span<const trace::PhaseSpan> phases, const TimeWindow& window, const TimeAxis& axis)
{
    std::vector<Span> spans;
    std::vector<std::string> names;
    std::vector<std::int64_t> ends;
    for (const trace::PhaseSpan& phase : outermostFirst(phases)) {
        const std::size_t level = freeLevel(ends, phase);
        const std::size_t series = indexOf(names, phase.name);
        const std::int64_t from = std::max(phase.beginNs, window.beginNs);
        const std::int64_t to = std::min(phase.endNs, window.endNs);
        if (from >= to)
            continue;
        Hover hover{phaseTitle(phase),
            {fmt::format("{} to {}", timeText(phase.beginNs), timeText(phase.endNs)),
                fmt::format("{} long", timeText(phase.endNs - phase.beginNs))}};
        spans.push_back({phase.name, axis.of(from), axis.of(to), level, series, std::move(hover)});
    }
    return spans;
}

std::string phaseTitle(const trace::PhaseSpan& phase)
{
    return !trace::isOfAStep(phase) ? phase.name : fmt::format("{}, step {}", phase.name, phase.step);
}

} // namespace headroom::figures
