// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/trace/peaks/MemorySources.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::report {

/// What driver, device and allocator say of one device, side by side. Times are since the start of the trace.
struct TraceWitnesses {
    trace::MemorySources atInstant{}; ///< that was asked for
    std::optional<trace::MemorySources> atDriverPeak{}; ///< nothing where the driver was not recorded
    std::vector<trace::MemorySources> overTime{}; ///< where one of them says something new, thinned out evenly
    bool isCaptureLate = false; ///< memory was given out before it was recorded: a lower bound
};

/// Nothing where neither driver nor device was recorded. `timeNs` is since the start of the trace. Throws FileError.
std::optional<TraceWitnesses> readWitnesses(
    const store::Workspace& workspace, const TracedRepeat& traced, std::uint32_t deviceId, std::int64_t timeNs);

} // namespace headroom::report
