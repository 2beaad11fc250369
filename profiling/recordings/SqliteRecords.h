// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/SqliteTables.h"

namespace headroom::recordings {

/// Passes on the kernels, copies, calls, ranges and samples of a database, some tens of thousands at a time. Throws
/// FileError.
void eachSqliteRecord(const SqliteTables& tables, const RecordVisitor& visit);

} // namespace headroom::recordings
