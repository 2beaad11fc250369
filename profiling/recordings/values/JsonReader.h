// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/values/ByteInput.h"
#include "profiling/recordings/values/Objects.h"
#include "profiling/recordings/values/Unpickler.h"

namespace headroom::recordings {

/// Reads a JSON text value by value; elements of long lists go to the sink of `objects` as soon as they are complete.
/// Throws FileError that names file and byte.
Value readJson(ByteInput& input, Objects& objects, const Progress& progress = {});

} // namespace headroom::recordings
