// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"

#include <vector>

namespace headroom::experiments {

/// The repeats whose figures count: those that completed, or all when none did.
std::vector<const protocol::RepeatResult*> countingRepeats(const std::vector<protocol::RepeatResult>& repeats);

/// The largest of each figure; the harness of the repeat that has the largest one.
protocol::RepeatMemory largestMemory(const std::vector<protocol::RepeatResult>& repeats);

/// The `memory` object of a trial record without what takes the outcome: `needed_bytes`, `missing_bytes` and `fits`.
OrderedJson memoryRecord(const protocol::RepeatMemory& memory);

} // namespace headroom::experiments
