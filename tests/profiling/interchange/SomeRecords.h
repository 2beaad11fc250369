// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

namespace headroom::interchange {

/// A few of every kind of record, as a capture of one process on device 0 gives them, some with times that were lost.
trace::DeviceRecords someRecords();

} // namespace headroom::interchange
