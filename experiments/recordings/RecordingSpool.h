// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/trace/MemoryCounters.h"

#include <cstddef>
#include <filesystem>
#include <functional>

namespace headroom::experiments {

/// What is known of a device's trace once it has been written.
struct SpooledTrace {
    trace::MemoryCounters peak; ///< the largest of each figure
    trace::MemoryCounters atEnd;
};

/// Writes the trace of one of the recording's devices, with its phases, records and remarks, as a worker leaves it to
/// be taken into a workspace. `written` is called with the number of each piece's events; what it throws ends the
/// writing. Throws FileError.
SpooledTrace writeSpool(const recordings::Recording& recording, const recordings::DeviceRecording& device,
    const std::filesystem::path& spool, const std::function<void(std::size_t)>& written = {});

} // namespace headroom::experiments
