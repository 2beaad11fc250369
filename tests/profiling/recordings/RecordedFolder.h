// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::recordings {

/// The folder that HEADROOM_RECORDINGS names; nothing, and why, where there is none.
std::optional<std::filesystem::path> recordingsFolder(std::string& reason);

/// A device of a recording of a real GPU, with the owners of its file.
struct RealRecording {
    std::string name; ///< of the file, and the device where there are several
    std::filesystem::path path;
    Recording file; ///< with this device alone

    const DeviceRecording& device() const { return file.devices.front(); }
};

/// All recordings of a folder in order of name, one for each device that has events.
std::vector<RealRecording> realRecordings(const std::filesystem::path& folder);

/// Most reserved bytes, by the events of segments.
Bytes recordedPeakReservedBytes(const DeviceRecording& recording);

} // namespace headroom::recordings
