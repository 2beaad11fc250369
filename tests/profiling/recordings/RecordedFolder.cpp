// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/RecordedFolder.h"

#include "profiling/recordings/RecordingFile.h"

#include <algorithm>
#include <cstdlib>

namespace headroom::recordings {

std::optional<std::filesystem::path> recordingsFolder(std::string& reason)
{
    const char* const folder = std::getenv("HEADROOM_RECORDINGS");
    if (folder == nullptr || *folder == '\0') {
        reason = "HEADROOM_RECORDINGS names no folder of recordings of PyTorch's allocator";
        return std::nullopt;
    }
    if (!std::filesystem::is_directory(folder)) {
        reason = std::string("HEADROOM_RECORDINGS is ") + folder + ", which is no folder";
        return std::nullopt;
    }
    return folder;
}

std::vector<RealRecording> realRecordings(const std::filesystem::path& folder)
{
    std::vector<RealRecording> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".pickle")
            continue;
        const Recording file = readRecording(entry.path());
        for (const DeviceRecording& device : file.devices) {
            if (device.events.empty())
                continue;
            found.push_back({entry.path().stem().string() + " " + std::to_string(device.device), entry.path(), file});
            found.back().file.devices = {device};
        }
    }
    std::ranges::sort(found, {}, &RealRecording::name);
    return found;
}

Bytes recordedPeakReservedBytes(const DeviceRecording& recording)
{
    Bytes reserved = recording.reservedBefore();
    Bytes peak = reserved;
    for (const RecordedEvent& event : recording.events) {
        if (event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentMap)
            reserved += event.bytes;
        else if (event.kind == EventKind::SegmentFree || event.kind == EventKind::SegmentUnmap)
            reserved -= event.bytes;
        peak = std::max(peak, reserved);
    }
    return peak;
}

} // namespace headroom::recordings
