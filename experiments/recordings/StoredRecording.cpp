// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/StoredRecording.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"
#include "core/protocol/TrialCodec.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

config::Trial trialIn(const store::Workspace& workspace, const store::TrialRow& row)
{
    try {
        return protocol::trialFromJson(protocol::Json::parse(row.requestJson));
    } catch (const protocol::Json::exception& error) {
        throw FileError(
            "trial " + row.trialId + " cannot be read: " + protocol::problemOf(error), workspace.path().string());
    }
}

} // namespace

recordings::Recording storedRecording(
    store::Workspace& workspace, const store::TrialRow& trial, std::int64_t repeat, const std::filesystem::path&)
{
    const config::Trial planned = trialIn(workspace, trial);
    const store::TraceReader reader = workspace.trace();
    recordings::Recording recording;
    recording.format = "headroom";
    recording.owners = reader.owners(repeat);
    recording.phases = workspace.phases(repeat);
    recording.allocator = planned.allocator;
    recording.isPredicted = trial.predicted;
    recording.deviceName = trial.device;
    const auto tracks = reader.tracks(repeat);
    const auto device = std::ranges::find(tracks, "device", &store::TrackRow::track);
    const std::string track = device == tracks.end() ? tracks.at(0).track : device->track;
    recordings::RecordedTraceBuilder builder;
    reader.eachBlock(
        repeat, track, [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            builder.add(header.before, events);
        });
    recording.devices.push_back(builder.take());
    recording.devices.front().device = planned.device.index;
    recordings::completeBlockSizes(recording.devices.front(), recording.owners, recording.settings());
    return recording;
}

} // namespace headroom::experiments
