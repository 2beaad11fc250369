// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/TraceWitnesses.h"

#include <algorithm>
#include <limits>

namespace headroom::report {
namespace {

using Time = std::numeric_limits<std::int64_t>;

constexpr std::size_t kMostInstants = 240;

/// What the allocator says, for joining.
struct Segments {
    std::optional<trace::MemoryCounters> before;
    std::vector<trace::AllocatorEvent> events;
};

Segments readSegments(const store::Workspace& workspace, const TracedRepeat& traced)
{
    Segments segments;
    workspace.trace().eachBlock(traced.repeat, traced.mainTrack().track,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            if (!segments.before)
                segments.before = header.before;
            std::ranges::copy_if(events, std::back_inserter(segments.events), [](const trace::AllocatorEvent& event) {
                return event.action == trace::Action::SegmentAlloc || event.action == trace::Action::SegmentMap;
            });
        });
    return segments;
}

trace::MemoryCounters countersAt(const store::Workspace& workspace, const TracedRepeat& traced, std::int64_t storedNs)
{
    const auto at = [&](trace::Counter counter) {
        return workspace.timeline(traced.repeat, traced.mainTrack().track, counter, storedNs, storedNs + 1, 2)
            .back()
            .last;
    };
    return {at(trace::Counter::Allocated), at(trace::Counter::Reserved), at(trace::Counter::Active)};
}

std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& instants)
{
    if (instants.size() <= kMostInstants)
        return instants;
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < kMostInstants; ++i)
        kept.push_back(instants[i * (instants.size() - 1) / (kMostInstants - 1)]);
    return kept;
}

bool isTold(const trace::DeviceRecords& records, const trace::Reconciliation& reconciliation)
{
    return reconciliation.isDriverRecorded() || !records.deviceSamples.empty();
}

} // namespace

std::optional<TraceWitnesses> readWitnesses(
    const store::Workspace& workspace, const TracedRepeat& traced, std::uint32_t deviceId, std::int64_t timeNs)
{
    const trace::DeviceRecords records = workspace.trace().memoryRecords(traced.repeat, Time::min(), Time::max());
    const Segments segments = readSegments(workspace, traced);
    const trace::Reconciliation reconciliation(
        records, deviceId, segments.events, segments.before.value_or(trace::MemoryCounters{}));
    if (!isTold(records, reconciliation))
        return std::nullopt;
    const auto at = [&](std::int64_t storedNs) {
        trace::MemorySources witnesses = reconciliation.at(storedNs, countersAt(workspace, traced, storedNs));
        witnesses.timeNs -= traced.originNs;
        return witnesses;
    };
    TraceWitnesses answer{.atInstant = at(traced.originNs + timeNs)};
    answer.isCaptureLate = reconciliation.isCaptureLate();
    const auto total = reconciliation.driver().total();
    if (const auto peak = std::ranges::max_element(total, {}, &trace::BytesPoint::bytes); peak != total.end())
        answer.atDriverPeak = at(std::max(peak->timeNs, traced.originNs));
    for (const std::int64_t instant : thinned(reconciliation.instants()))
        answer.overTime.push_back(at(instant));
    return answer;
}

} // namespace headroom::report
