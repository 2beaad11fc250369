// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/DifferenceFold.h"

#include "core/base/Quantities.h"
#include "profiling/trace/Occupancy.h"

#include <algorithm>
#include <numeric>

namespace headroom::experiments {
namespace {

constexpr std::int64_t kPartsWithoutPhases = 8;

figures::TimeWindow unitedWindow(const figures::TimeWindow& a, const figures::TimeWindow& b)
{
    return {std::min(a.beginNs, b.beginNs), std::max(a.endNs, b.endNs)};
}

figures::TimeWindow sharedWindow(const figures::TimeWindow& a, const figures::TimeWindow& b)
{
    const std::int64_t beginNs = std::max(a.beginNs, b.beginNs);
    return {beginNs, std::max(beginNs, std::min(a.endNs, b.endNs))};
}

// Without overflow: windows may be as long as a time can be.
std::int64_t placeIn(const figures::TimeWindow& window, std::size_t index, std::size_t count)
{
    const auto n = static_cast<std::int64_t>(count);
    const auto i = static_cast<std::int64_t>(index);
    return window.beginNs + window.lengthNs() / n * i + window.lengthNs() % n * i / n;
}

std::vector<trace::PhaseSpan> equalParts(const figures::TimeWindow& window)
{
    std::vector<trace::PhaseSpan> parts;
    for (std::int64_t i = 0; i < kPartsWithoutPhases; ++i) {
        const std::int64_t beginNs = placeIn(window, i, kPartsWithoutPhases);
        const std::int64_t endNs = placeIn(window, i + 1, kPartsWithoutPhases);
        parts.push_back({timeText(beginNs) + " to " + timeText(endNs), -1, beginNs, endNs});
    }
    return parts;
}

// Phases that cover little of what is compared, as of an optimizer's update alone, say little of it.
bool coverHalf(const std::vector<trace::PhaseSpan>& phases, const figures::TimeWindow& window)
{
    trace::OccupancyBuilder covered;
    std::vector<trace::Span> spans;
    for (const trace::PhaseSpan& phase : phases)
        spans.push_back({std::max(phase.beginNs, window.beginNs), std::min(phase.endNs, window.endNs)});
    std::ranges::sort(spans, {}, &trace::Span::beginNs);
    for (const trace::Span& span : spans)
        covered.add(span);
    const std::vector<std::uint64_t> busyNs = covered.take().busyNs;
    const std::uint64_t sum = std::accumulate(busyNs.begin(), busyNs.end(), std::uint64_t{0});
    return 2 * sum >= static_cast<std::uint64_t>(window.lengthNs());
}

void widen(std::optional<figures::MemoryBin>& bin, std::int64_t beginNs, Bytes least, Bytes most)
{
    if (!bin)
        bin = figures::MemoryBin{beginNs, least, most};
    bin->min = std::min(bin->min, least);
    bin->max = std::max(bin->max, most);
}

void addTo(DifferencePart& part, const DifferenceMoment& moment, std::int64_t lengthNs)
{
    part.lengthNs += lengthNs;
    part.byteNs += static_cast<double>(moment.difference()) * static_cast<double>(lengthNs);
    if (!part.most || moment.difference() > part.most->difference())
        part.most = moment;
    if (!part.least || moment.difference() < part.least->difference())
        part.least = moment;
}

} // namespace

DifferenceFold::DifferenceFold(const figures::TimeWindow& a, const figures::TimeWindow& b,
    const figures::SharedTime& ownOfB, std::vector<trace::PhaseSpan> phases, std::size_t stretches)
    : m_a{a}
    , m_b{b}
    , m_window(unitedWindow(a, b))
    , m_shared(sharedWindow(a, b))
    , m_time(ownOfB)
    , m_phases(coverHalf(phases, m_shared) ? std::move(phases) : equalParts(m_shared))
    , m_innermost(m_phases)
    , m_nowNs(m_window.beginNs)
{
    for (std::size_t i = 0; i < stretches; ++i)
        m_stretches.push_back({{placeIn(m_window, i, stretches), placeIn(m_window, i + 1, stretches)}, {}, {}, {}});
    std::erase_if(m_stretches, [](const DifferenceStretch& stretch) { return stretch.window.lengthNs() == 0; });
}

std::vector<std::int64_t> DifferenceFold::boundaries() const
{
    std::vector<std::int64_t> boundaries{m_a.window.beginNs, m_a.window.endNs, m_b.window.beginNs, m_b.window.endNs};
    for (const trace::PhaseSpan& phase : m_phases)
        boundaries.insert(boundaries.end(), {phase.beginNs, phase.endNs});
    std::erase_if(boundaries, [&](std::int64_t ns) { return ns <= m_window.beginNs || ns >= m_window.endNs; });
    std::ranges::sort(boundaries);
    const auto repeated = std::ranges::unique(boundaries);
    boundaries.erase(repeated.begin(), repeated.end());
    return boundaries;
}

std::size_t DifferenceFold::stretchAt(std::int64_t ns) const
{
    const auto after = std::ranges::upper_bound(
        m_stretches, ns, {}, [](const DifferenceStretch& stretch) { return stretch.window.beginNs; });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - m_stretches.begin() - 1, 0));
}

DifferencePart& DifferenceFold::partAt(std::int64_t ns)
{
    const std::size_t phase = m_innermost.at(ns);
    const std::string name = phase < m_innermost.phases().size() ? m_innermost.phases()[phase].name : std::string();
    const auto [found, isNew] = m_partOf.try_emplace(name, m_parts.size());
    if (isNew) {
        m_parts.emplace_back();
        m_parts.back().name = name;
    }
    return m_parts[found->second];
}

void DifferenceFold::set(
    FoldedSide& side, const CurvePoint& point, std::optional<figures::MemoryBin> DifferenceStretch::* of)
{
    side.bytes = point.bytes;
    if (!side.covers(m_nowNs))
        return;
    DifferenceStretch& stretch = m_stretches[stretchAt(m_nowNs)];
    widen(stretch.*of, std::max(stretch.window.beginNs, side.window.beginNs), point.least, point.most);
}

void DifferenceFold::advance(std::int64_t ns)
{
    if (ns <= m_nowNs)
        return;
    addPiece(ns);
    m_nowNs = ns;
}

// Between two boundaries each side either has a trace or none.
void DifferenceFold::addPiece(std::int64_t endNs)
{
    const bool isShared = m_a.covers(m_nowNs) && m_b.covers(m_nowNs);
    for (std::size_t i = stretchAt(m_nowNs); i < m_stretches.size() && m_stretches[i].window.beginNs < endNs; ++i) {
        DifferenceStretch& stretch = m_stretches[i];
        const std::int64_t beginNs = std::max(stretch.window.beginNs, m_nowNs);
        if (m_a.covers(m_nowNs))
            widen(stretch.a, beginNs, m_a.bytes, m_a.bytes);
        if (m_b.covers(m_nowNs))
            widen(stretch.b, beginNs, m_b.bytes, m_b.bytes);
        if (isShared)
            widen(stretch.difference, beginNs, m_b.bytes - m_a.bytes, m_b.bytes - m_a.bytes);
    }
    if (isShared)
        addDifference(endNs - m_nowNs);
}

void DifferenceFold::addDifference(std::int64_t lengthNs)
{
    const DifferenceMoment moment{m_a.bytes, m_b.bytes, m_nowNs, m_time.own(m_nowNs)};
    addTo(m_whole, moment, lengthNs);
    addTo(partAt(m_nowNs), moment, lengthNs);
    m_aboveNs += moment.difference() > 0 ? lengthNs : 0;
    m_belowNs += moment.difference() < 0 ? lengthNs : 0;
}

void DifferenceFold::moveInto(DifferenceOverTime& result)
{
    result.shared = m_shared;
    result.endA = m_a.window.endNs;
    result.endB = m_b.window.endNs;
    result.whole = std::move(m_whole);
    result.parts = std::move(m_parts);
    result.stretches = std::move(m_stretches);
    result.aboveNs = m_aboveNs;
    result.belowNs = m_belowNs;
}

} // namespace headroom::experiments
