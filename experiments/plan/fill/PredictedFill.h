// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "experiments/plan/fill/FillSearch.h"

#include <stop_token>

namespace headroom::experiments {

/// What a trial may hold on its card with the margin that "fits" asks for, the driver's context and a memory limit
/// taken off: where guesses of a FillSearch aim at. The trial must have a simulated device with a memory of its own.
Bytes fillBudgetOf(const config::Trial& trial, const simulator::ProfileCatalogue& profiles);

/// The search of `headroom fill` with this predictor. Throws what the predictor throws.
FillSearch predictedFill(TrialPredictor& predictor, std::stop_token stop);

} // namespace headroom::experiments
