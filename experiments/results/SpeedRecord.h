// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"

#include <vector>

namespace headroom::experiments {

/// The `speed` object of a trial record: over the samples of the completed repeats, all null where there are none.
/// Rates are those of the median step; `ci95` is the interval of the median step time, in seconds; null for
/// predictions, as their steps do not scatter.
OrderedJson speedRecord(const config::Trial& trial, const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
