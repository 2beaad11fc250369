// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/run/RehearsedCard.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/sweep/Sweep.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

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

/// Has repeats carried out by workers: a fresh process for each measured repeat, one resident process for all
/// simulated trials (their state is virtual), replaced when it dies. A rehearsed repeat has a fresh process too, with
/// the substitute for the CUDA runtime loaded before it; one that runs out of memory is rehearsed once more without the
/// card's limit, for what it needs. A trial with a budget for checkpointing that is not simulated is planned by a
/// simulation first.
class RepeatExecutor {
public:
    /// Throws FileError when there is no executable program there.
    /// `log` is given each line of a worker's log as it comes.
    RepeatExecutor(std::filesystem::path worker, WorkerProcess::LogSink log,
        protocol::TraceDepth traceDepth = protocol::TraceDepth::Memory);

    /// `spool` is where the worker writes its trace; empty: none. Always ends with a result.
    protocol::RepeatResult carryOut(const PlannedTrial& planned, int repeat, const std::filesystem::path& spool,
        const Patience& patience, const WorkerSession::EventSink& sink);

    /// Ends the resident worker in good order; a remark where it did not.
    std::string finish();

    /// What the last worker that said hello is.
    const std::optional<protocol::WorkerDescription>& worker() const { return m_description; }

private:
    protocol::RepeatResult measure(
        const protocol::WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink);
    protocol::RepeatResult rehearse(
        const protocol::WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink);
    protocol::RepeatResult rehearse(const protocol::WorkerRequest& request, RehearsedCard::Capacity capacity,
        const Patience& patience, const WorkerSession::EventSink& sink);
    protocol::RepeatResult measureWithinBudget(
        const protocol::WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink);
    const protocol::RepeatResult& planOf(
        const config::Trial& trial, const Patience& patience, const WorkerSession::EventSink& sink);
    protocol::RepeatResult simulate(
        const protocol::WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink);
    protocol::RepeatResult alone(WorkerSession& session, const protocol::WorkerRequest& request,
        const Patience& patience, const WorkerSession::EventSink& sink);
    std::unique_ptr<WorkerSession> start(
        const std::string& allocator = {}, const WorkerSurroundings& surroundings = {}) const;
    const simulator::ProfileCatalogue& profiles();
    void remember(const WorkerSession& session);

    std::filesystem::path m_program;
    protocol::TraceDepth m_traceDepth;
    WorkerProcess::LogSink m_log;
    std::unique_ptr<WorkerSession> m_resident;
    std::optional<protocol::WorkerDescription> m_description;
    BudgetPlans m_plans;
    std::optional<simulator::ProfileCatalogue> m_profiles;
    std::int64_t m_lastId = 0;
};

} // namespace headroom::experiments
