// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"
#include "profiling/recordings/Recording.h"

#include <string>

namespace headroom::experiments {

/// What a row's numbers do not say: where it runs out of memory, for how much and in which line of the program, or that
/// a request which failed in the recording is served. Empty where there is nothing.
std::string remarkOn(const WhatIfRow& row, const recordings::Recording& recording);

} // namespace headroom::experiments
