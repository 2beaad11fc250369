// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/CategoryCounters.h"

#include <cstdint>
#include <string>

namespace headroom::store {

/// Works out the pyramids of a track anew from its blocks, in place of those that are there; inside the caller's
/// transaction. Returns why there are none, where a block cannot be decoded; else an empty text. Throws FileError where
/// the file cannot be read or written.
std::string rebuildPyramids(
    SqliteFile& file, std::int64_t repeat, const std::string& track, const trace::OwnerCategories& owners);

} // namespace headroom::store
