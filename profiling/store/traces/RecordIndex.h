// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/Occupancy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::store {

/// What was busy: the kernels of a repeat, or its copies (with those that set memory).
enum class Work : std::uint8_t { Kernels, Copies };

/// "kernels", "copies": as stored.
const char* toText(Work work);

/// Builds what makes records of a repeat quick to read, once they are all there: for each 4,096 rows in order of time
/// when they begin and when the last of them ends (a window reads those that reach into it), and how busy kernels and
/// copies were over time. Replaces what there was. Runs in the caller's transaction. Throws FileError.
void indexRecords(SqliteFile& file, std::int64_t repeat);

/// Nothing where it was not built (traces from before version 4 of the workspace), or is damaged.
std::optional<trace::Occupancy> readOccupancy(SqliteFile& file, std::int64_t repeat, Work work);

/// The rows of a table that begin before a time and end after it lie between these begins, both included.
std::vector<trace::Span> stretchesReaching(
    SqliteFile& file, std::int64_t repeat, const std::string& table, std::int64_t timeNs);

} // namespace headroom::store
