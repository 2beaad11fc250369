// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/values/Objects.h"

#include <string>

namespace headroom::recordings {

/// Whether a JSON text is what torch.profiler's export_memory_timeline() writes: the times with the sizes of each
/// category (.json), or every change (.raw.json).
bool isMemoryTimeline(const Objects& objects, const Value& root);

/// The curve by category of one device, which the file does not name. Of the first form each change of a category is a
/// block or takes from the last ones; of the second form blocks are as they were. Throws FileError for what is out of
/// form, with its place.
Recording memoryTimelineRecording(const Objects& objects, const Value& root, const std::string& file);

} // namespace headroom::recordings
