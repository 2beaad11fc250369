// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PhasePeaks.h"

namespace headroom::trace {
namespace {

PhasePeak peakOf(const MemoryTimeline& timeline, const PhaseSpan& span)
{
    return {.allocated = timeline.peak(Counter::Allocated, span.beginNs, span.endNs),
        .reserved = timeline.peak(Counter::Reserved, span.beginNs, span.endNs),
        .active = timeline.peak(Counter::Active, span.beginNs, span.endNs)};
}

void raisePeak(Peak& peak, const Peak& other)
{
    if (other.bytes > peak.bytes)
        peak = other;
}

} // namespace

std::vector<PhasePeak> phasePeaks(const MemoryTimeline& timeline, std::span<const PhaseSpan> spans)
{
    std::vector<PhasePeak> peaks;
    peaks.reserve(spans.size());
    for (const PhaseSpan& span : spans)
        peaks.push_back(peakOf(timeline, span));
    return peaks;
}

std::map<std::string, PhasePeak> phasePeaksByName(const MemoryTimeline& timeline, std::span<const PhaseSpan> spans)
{
    std::map<std::string, PhasePeak> peaks;
    for (const PhaseSpan& span : spans) {
        const PhasePeak peak = peakOf(timeline, span);
        const auto [entry, first] = peaks.try_emplace(span.name, peak);
        raisePeak(entry->second.allocated, peak.allocated);
        raisePeak(entry->second.reserved, peak.reserved);
        raisePeak(entry->second.active, peak.active);
    }
    return peaks;
}

const PhaseSpan* phaseAt(std::span<const PhaseSpan> spans, std::int64_t timeNs)
{
    const PhaseSpan* innermost = nullptr;
    for (const PhaseSpan& span : spans) {
        if (timeNs < span.beginNs || timeNs >= span.endNs)
            continue;
        if (innermost == nullptr || span.endNs - span.beginNs < innermost->endNs - innermost->beginNs)
            innermost = &span;
    }
    return innermost;
}

} // namespace headroom::trace
