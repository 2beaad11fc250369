// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"

namespace headroom::recordings {

/// Finds what an allocator held before the first of its recorded events, by running them backward from the segments at
/// the end: recordings are rings, which may begin late.
///
/// Events do not tell of slack in large blocks; as no free block of the large pool has 1 MiB or less, what lies between
/// two blocks and is not more is slack. `final`: the segments after the last event.
std::vector<RecordedSegment> segmentsBefore(
    std::vector<RecordedSegment> final, const DeviceRecording& recording, const simulator::AllocatorSettings& settings);

} // namespace headroom::recordings
