// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/SnapshotEntries.h"
#include "profiling/recordings/values/ByteInput.h"
#include "profiling/recordings/values/Objects.h"

namespace headroom::recordings {

/// Makes a recording of what torch.cuda.memory._snapshot() returned, in whichever form it was written. `entries` has
/// taken the entries of its traces. Throws FileError, naming `file`, for a value that is no snapshot.
Recording snapshotRecording(
    const Objects& objects, const Value& root, SnapshotEntries& entries, const std::string& file);

} // namespace headroom::recordings
