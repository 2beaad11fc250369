// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/TrialMeasurement.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

namespace headroom::collectors {

/// A trial whose budget was planned.
struct BudgetedTrial {
    config::Trial trial; ///< with the policy of each block in place of the budget
    std::string notation; ///< of that policy
    Bytes budget = 0;
    Bytes peakBytes = 0; ///< of its simulation
};

/// Plans the checkpointing of a trial with a budget on the simulated device.
///
/// The steps that are compared are simulated on it without a limit. What is planned was then simulated as a trial, from
/// load to the last step, and its steps' peak of allocated memory is at most the budget: that of the measured steps
/// and, but after a plain warm-up, of the first one. Throws TrialError naming the least possible where it is more.
BudgetedTrial planBudget(
    const config::Trial& trial, const simulator::SimulatedDevice& device, MeasurementListener& listener);

} // namespace headroom::collectors
