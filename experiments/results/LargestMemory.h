// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <vector>

namespace headroom::experiments {

/// The repeats whose figures count: those that completed, or all of them if none did.
std::vector<const protocol::RepeatResult*> countingRepeats(const std::vector<protocol::RepeatResult>& repeats);

/// The maximum of each figure over the repeats; the harness figures come from the repeat with the largest harness.
protocol::RepeatMemory largestMemory(const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
