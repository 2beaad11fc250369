// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/values/Unpickler.h"

#include <filesystem>

namespace headroom::recordings {

/// Reads an SQLite export of Nsight Systems: the memory that the driver gave out, kernels, copies, calls, ranges; and
/// of an export of Headroom the allocator's events with their owners, exactly. The file is opened for reading alone;
/// its views and triggers are not run. Throws FileError that names the file and the table.
Recording sqliteRecording(const std::filesystem::path& path, const Progress& progress = {});

} // namespace headroom::recordings
