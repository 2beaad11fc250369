// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineSlot.h"

#include "profiling/trace/PhaseSpan.h"

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr double kBeside = 0.5; ///< share of the visible window that is read on each side of it
constexpr double kTooNear = 0.15; ///< share of the visible window that must have been read on each side of it
constexpr double kTooCoarse = 2.3; ///< times the visible window: longer data has too few bins for it

figures::TimeWindow cut(const figures::TimeWindow& window, const figures::TimeWindow& whole)
{
    const std::int64_t begin = std::clamp(window.beginNs, whole.beginNs, whole.endNs - 1);
    return {begin, std::clamp(window.endNs, begin + 1, whole.endNs)};
}

figures::TimeWindow grown(const figures::TimeWindow& window, double share)
{
    const auto by = static_cast<std::int64_t>(share * static_cast<double>(window.lengthNs()));
    return {window.beginNs - by, window.endNs + by};
}

} // namespace

TimelineRequest TimelineSlot::request() const
{
    TimelineRequest request;
    request.subject = subject;
    request.repeat = repeat;
    if (summary)
        request.phasePeaks = summary->phasePeaks;
    return request;
}

figures::TimeWindow TimelineSlot::own(const figures::TimeWindow& common) const
{
    return {common.beginNs + shiftNs, common.endNs + shiftNs};
}

figures::TimeWindow TimelineSlot::whole() const
{
    return {window->whole.beginNs - shiftNs, window->whole.endNs - shiftNs};
}

const trace::PhaseSpan* TimelineSlot::phaseAt(std::int64_t timeNs) const
{
    return hasTrace() ? trace::phaseAt(*window->phases, timeNs + shiftNs) : nullptr;
}

std::optional<figures::TimeWindow> TimelineSlot::missing(const figures::TimeWindow& visible) const
{
    if (!hasTrace())
        return std::nullopt;
    const figures::TimeWindow needed = cut(grown(own(visible), kTooNear), window->whole);
    const figures::TimeWindow wanted = cut(grown(own(visible), kBeside), window->whole);
    const bool isThere = requested && requested->beginNs <= needed.beginNs && requested->endNs >= needed.endNs;
    const bool isFine =
        requested && static_cast<double>(requested->lengthNs()) <= kTooCoarse * static_cast<double>(visible.lengthNs());
    return isThere && isFine ? std::nullopt : std::optional(wanted);
}

} // namespace headroom::ui
