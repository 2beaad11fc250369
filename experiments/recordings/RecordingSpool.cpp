// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/RecordingSpool.h"

#include "profiling/recordings/TracedEvents.h"
#include "profiling/store/traces/SpoolWriter.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

constexpr const char* kDeviceTrack = "device";

void count(SpooledTrace& trace, std::span<const trace::AllocatorEvent> events)
{
    for (const trace::AllocatorEvent& event : events) {
        trace.atEnd.apply(event);
        trace.peak.allocated = std::max(trace.peak.allocated, trace.atEnd.allocated);
        trace.peak.reserved = std::max(trace.peak.reserved, trace.atEnd.reserved);
        trace.peak.active = std::max(trace.peak.active, trace.atEnd.active);
    }
}

void addNames(store::SpoolWriter& spool, const recordings::Recording& recording)
{
    for (trace::OwnerId id = 1; id < recording.owners.all().size(); ++id)
        spool.addOwner(id, recording.owners.of(id));
    for (const trace::PhaseSpan& phase : recording.phases)
        spool.addPhase(phase);
}

void addRecords(store::SpoolWriter& spool, const recordings::Recording& recording)
{
    spool.addRecords(recording.records);
    if (recording.moreRecords)
        recording.moreRecords([&](const trace::DeviceRecords& records) { spool.addRecords(records); });
    for (const std::string& remark : recording.remarks)
        spool.addDiagnostic({.severity = store::Severity::Info, .kind = "recording", .message = remark});
}

} // namespace

SpooledTrace writeSpool(const recordings::Recording& recording, const recordings::DeviceRecording& device,
    const std::filesystem::path& spool, const std::function<void(std::size_t)>& written)
{
    store::SpoolWriter writer(spool);
    SpooledTrace trace{{}, device.heldBefore};
    addNames(writer, recording);
    writer.beginTrack(kDeviceTrack, device.heldBefore);
    recordings::eachTracedEvent(device, [&](std::span<const trace::AllocatorEvent> events) {
        count(trace, events);
        writer.append(kDeviceTrack, events);
        if (written)
            written(events.size());
    });
    addRecords(writer, recording);
    writer.finish();
    return trace;
}

} // namespace headroom::experiments
