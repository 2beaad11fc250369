// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/RunTimeline.h"

#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/recordings/TracedEvents.h"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace headroom::experiments {
namespace {

/// Collects the points of events in their order.
class PointCollector {
public:
    explicit PointCollector(std::int64_t originNs)
        : m_originNs(originNs)
    {
    }

    void add(std::int64_t timeNs, Bytes bytes)
    {
        const std::int64_t at = timeNs - m_originNs;
        if (m_points.empty() || m_points.back().timeNs != at)
            m_points.push_back({at, bytes, bytes, bytes});
        CurvePoint& point = m_points.back();
        point.bytes = bytes;
        point.least = std::min(point.least, bytes);
        point.most = std::max(point.most, bytes);
    }
    std::vector<CurvePoint> take() { return std::move(m_points); }

private:
    std::int64_t m_originNs;
    std::vector<CurvePoint> m_points;
};

// As a workspace has it: the first event or the first phase.
std::int64_t originOf(const recordings::Recording& recording, const recordings::DeviceRecording& device)
{
    std::int64_t originNs = recordings::kBeforeNs;
    if (device.before.empty())
        originNs = device.events.empty() ? 0 : device.events.front().timeNs;
    for (const trace::PhaseSpan& phase : recording.phases)
        originNs = std::min(originNs, phase.beginNs);
    return originNs;
}

std::vector<CurvePoint> pointsOf(const recordings::DeviceRecording& device, std::int64_t originNs)
{
    PointCollector points(originNs);
    trace::MemoryCounters now = device.heldBefore;
    points.add(originNs, now.allocated);
    recordings::eachTracedEvent(device, [&](std::span<const trace::AllocatorEvent> events) {
        for (const trace::AllocatorEvent& event : events) {
            const Bytes before = now.allocated;
            now.apply(event);
            if (now.allocated != before)
                points.add(event.timeNs, now.allocated);
        }
    });
    return points.take();
}

std::vector<CurvePoint> pointsWithin(const std::vector<CurvePoint>& all, const figures::TimeWindow& window)
{
    const auto begin = std::ranges::lower_bound(all, window.beginNs, {}, &CurvePoint::timeNs);
    const auto end = std::ranges::lower_bound(all, window.endNs, {}, &CurvePoint::timeNs);
    return {begin, std::max(begin, end)};
}

figures::MemoryPeak peakOf(const std::vector<CurvePoint>& points)
{
    const auto highest = std::ranges::max_element(points, {}, &CurvePoint::most);
    return highest == points.end() ? figures::MemoryPeak() : figures::MemoryPeak{highest->most, highest->timeNs};
}

// Phases may reach beyond the last event.
std::int64_t endOf(const std::vector<CurvePoint>& points, const std::vector<trace::PhaseSpan>& phases)
{
    std::int64_t endNs = points.empty() ? 1 : points.back().timeNs + 1;
    for (const trace::PhaseSpan& phase : phases)
        endNs = std::max(endNs, phase.endNs);
    return endNs;
}

std::vector<CurvePoint> pointsInTrace(
    const store::Workspace& workspace, const report::TracedRepeat& traced, const figures::TimeWindow& window)
{
    PointCollector points(traced.originNs);
    const std::int64_t beginNs = traced.originNs + window.beginNs;
    const std::int64_t endNs = traced.originNs + window.endNs;
    std::optional<Bytes> before; // the first event in the window
    const auto enter = [&] {
        if (before)
            points.add(beginNs, *std::exchange(before, std::nullopt));
    };
    bool hasEntered = false;
    workspace.trace().eachBlock(traced.repeat, traced.mainTrack().track, beginNs, endNs, {},
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            trace::MemoryCounters now = header.before;
            for (const trace::AllocatorEvent& event : events) {
                if (!hasEntered)
                    before = now.allocated;
                now.apply(event);
                if (event.timeNs < beginNs || event.timeNs >= endNs)
                    continue;
                hasEntered = true;
                enter();
                points.add(event.timeNs, now.allocated);
            }
            if (!hasEntered)
                before = now.allocated;
        });
    enter();
    return points.take();
}

RunTimeline timelineOfTrace(std::shared_ptr<store::Workspace> workspace, report::TracedRepeat traced)
{
    RunTimeline timeline;
    timeline.lengthNs = traced.lengthNs;
    timeline.events = traced.mainTrack().events;
    timeline.phases = traced.phases;
    const store::TrackCounter of{traced.repeat, traced.mainTrack().track, trace::Counter::Allocated};
    timeline.peak = report::readPeak(*workspace, traced, of, traced.ownSteps());
    timeline.points = [workspace = std::move(workspace), traced = std::move(traced)](
                          const figures::TimeWindow& window) { return pointsInTrace(*workspace, traced, window); };
    return timeline;
}

} // namespace

RunTimeline timelineOf(const recordings::Recording& recording, std::size_t device)
{
    RunTimeline timeline;
    const std::int64_t originNs = originOf(recording, recording.devices.at(device));
    const auto points =
        std::make_shared<const std::vector<CurvePoint>>(pointsOf(recording.devices.at(device), originNs));
    timeline.events = std::ssize(*points);
    timeline.phases = recording.phases;
    for (trace::PhaseSpan& phase : timeline.phases) {
        phase.beginNs -= originNs;
        phase.endNs -= originNs;
    }
    timeline.lengthNs = endOf(*points, timeline.phases);
    timeline.peak = peakOf(*points);
    timeline.points = [points](const figures::TimeWindow& window) { return pointsWithin(*points, window); };
    return timeline;
}

std::optional<RunTimeline> timelineInWorkspace(
    const std::shared_ptr<store::Workspace>& workspace, std::span<const std::int64_t> repeats)
{
    for (const std::int64_t repeat : repeats)
        if (auto traced = report::readTracedRepeat(*workspace, repeat))
            return timelineOfTrace(workspace, std::move(*traced));
    return std::nullopt;
}

} // namespace headroom::experiments
