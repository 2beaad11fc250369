// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/simulator/AllocatorSnapshot.h"

#include <vector>

namespace headroom::recordings {

/// The segments in the simulator's form.
simulator::AllocatorSnapshot snapshotOf(const std::vector<RecordedSegment>& segments);

/// Where the virtual ranges of expandable segments that are there before the first event begin, ascending: a range may
/// have unmapped pages before its first mapped ones, which later events map.
std::vector<Address> rangeBeginsOf(const DeviceRecording& recording);

} // namespace headroom::recordings
