// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/values/Unpickler.h"

#include <filesystem>

namespace headroom::recordings {

/// Reads what another program recorded; the format is told by the content, not by the name:
/// - a memory snapshot of PyTorch, as a pickle (protocol 2 to 5), as JSON, or inside a page of PyTorch's viewer;
/// - a trace of torch.profiler or another Chrome trace with memory events, as JSON;
/// - an SQLite export of Nsight Systems.
/// The first two may be packed by gzip. Sizes of blocks are complete (completeBlockSizes).
///
/// Nothing in the file is executed, and memory is bounded: by the number of events, and by Objects::kMostBytes for the
/// rest. Throws FileError that names the file, and the byte where there is one.
Recording readRecording(const std::filesystem::path& path, const Progress& progress = {});

/// Whether readRecording is the right reader for the file, as far as its beginning tells: JSON that is no recording
/// (the configuration of a model) and databases that no profiler wrote are others. Reads little. Throws FileError for a
/// file that cannot be read.
bool looksLikeRecording(const std::filesystem::path& path);

} // namespace headroom::recordings
