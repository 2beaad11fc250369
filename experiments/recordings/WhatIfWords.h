// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"
#include "profiling/recordings/Recording.h"

#include <string>

namespace headroom::experiments {

/// "at 2.417100 s for 53.6 MiB in model.py:81 feed_forward": the request that a row's replay ends with; empty if it
/// ends with none, "before its first event: 120 MiB missing" where what was there before does not fit.
std::string whereItFails(const WhatIfRow& row, const recordings::Recording& recording);

/// What a row's numbers do not say: where it runs out of memory, for how much and in which line of the program, or that
/// a request which failed in the recording is served. Empty where there is nothing.
std::string remarkOn(const WhatIfRow& row, const recordings::Recording& recording);

} // namespace headroom::experiments
