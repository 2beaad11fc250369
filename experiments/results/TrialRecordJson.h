// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"

namespace headroom::experiments {

/// The contract's trial record ("headroom.trial/1"). Every key is present; unknown values are null.
OrderedJson toJson(const TrialResult& result);

/// The inverse of `toJson`. The round trip is exact except for optional numbers that JSON cannot represent (infinity,
/// NaN), which become unknown. Throws TrialError if `json` is not such a record, and the JSON library's error for a
/// missing key or a wrong type.
TrialResult trialResultFromJson(const OrderedJson& json);

} // namespace headroom::experiments
