// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/values/ByteInput.h"
#include "profiling/recordings/values/Objects.h"

#include <functional>

namespace headroom::recordings {

/// Called now and then while a file is read, with the share that has been read.
using Progress = std::function<void(double)>;

/// Reads a Python pickle of protocol 2 to 5 (0 and 1 are understood too) that consists of plain data: None, bool, int,
/// float, str, bytes, list, tuple, set, dict. Whatever would name a class or call a function is refused, so that
/// nothing is ever executed. Throws FileError that names file and byte.
Value readPickle(ByteInput& input, Objects& objects, const Progress& progress = {});

} // namespace headroom::recordings
