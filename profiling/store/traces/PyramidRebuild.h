// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/CategoryCounters.h"

#include <cstdint>
#include <string>

namespace headroom::store {

/// Recomputes the pyramids of a track from its blocks and replaces the existing ones, inside the caller's transaction.
/// Returns the reason if there are none because a block cannot be decoded; else an empty text. Throws FileError if the
/// file cannot be read or written.
std::string rebuildPyramids(
    SqliteFile& file, std::int64_t repeat, const std::string& track, const trace::OwnerCategories& owners);

} // namespace headroom::store
