// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"

namespace headroom::experiments {

/// The contract's trial record ("headroom.trial/1"). Every key is present; what is unknown is null.
OrderedJson toJson(const TrialResult& result);

/// The reverse: what `toJson` made gives the same result again, but for numbers that JSON has no word for (infinite or
/// no number), which are unknown then. Throws TrialError for what is no such record, and JSON's own error for a missing
/// key or a wrong type.
TrialResult trialResultFromJson(const OrderedJson& json);

} // namespace headroom::experiments
