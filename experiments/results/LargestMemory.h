// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <vector>

namespace headroom::experiments {

/// The repeats whose figures count: those that completed, or all when none did.
std::vector<const protocol::RepeatResult*> countingRepeats(const std::vector<protocol::RepeatResult>& repeats);

/// The largest of each figure; the harness of the repeat that has the largest one.
protocol::RepeatMemory largestMemory(const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
