// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <optional>

namespace headroom::experiments {

/// Whether a trial's checkpointing is `budget:SIZE`, which a simulation of the trial resolves.
bool hasBudget(const config::Trial& trial);

/// The trial on the simulated device that plans it, without a limit: `sim:cpu`, or for a GPU the profile of the same
/// compute capability whose memory is closest (else of the closest capability). `machine` describes the GPUs.
config::Trial twinOf(const config::Trial& trial, const std::optional<protocol::WorkerDescription>& machine,
    const simulator::ProfileCatalogue& profiles);

/// Whether a simulation has resolved the budget; else it says why not.
bool isPlan(const protocol::RepeatResult& simulated);

/// The trial with what the simulation resolved its budget to.
config::Trial withPlan(config::Trial trial, const protocol::RepeatResult& plan);

/// What was measured then, with what was planned.
protocol::RepeatResult withRemark(
    protocol::RepeatResult measured, const config::Trial& trial, const protocol::RepeatResult& plan);

/// The plan of the trial that was planned last.
class BudgetPlans {
public:
    /// Null if it is another trial's.
    const protocol::RepeatResult* find(const config::Trial& trial) const;
    const protocol::RepeatResult& add(const config::Trial& trial, protocol::RepeatResult plan);

private:
    std::optional<config::Trial> m_trial;
    protocol::RepeatResult m_plan;
};

} // namespace headroom::experiments
