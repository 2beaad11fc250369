// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/SqliteTables.h"
#include "profiling/trace/DeviceRecords.h"

namespace headroom::recordings {

/// The records of driver, device and host in an export of Nsight Systems, or in one of Headroom in its form.
trace::DeviceRecords readSqliteRecords(const SqliteTables& tables);

} // namespace headroom::recordings
