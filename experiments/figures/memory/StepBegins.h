// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom::figures {

/// Where a step begins.
struct StepBegin {
    std::int64_t step = 0;
    std::int64_t beginNs = 0; ///< since the start of the trace

    bool operator==(const StepBegin&) const = default;
};

/// Where the trial's own steps begin, by time.
std::vector<StepBegin> stepBegins(std::span<const trace::PhaseSpan> phases);

} // namespace headroom::figures
