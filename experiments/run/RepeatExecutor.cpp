// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RepeatExecutor.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/techniques/BudgetSize.h"
#include "core/config/techniques/CheckpointNotation.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

constexpr const char* kBudgetTechnique = "checkpointing";

const std::string& budgetNotation(const config::Trial& trial)
{
    return trial.configuration.techniques.at(kBudgetTechnique).notation;
}

struct Gpu {
    double capability = 0;
    double bytes = 0;
};

// Nothing where the worker does not see it.
std::optional<Gpu> gpuOf(const std::optional<protocol::WorkerDescription>& machine, const std::string& name)
{
    if (!machine)
        return std::nullopt;
    for (const protocol::Json& device : machine->details.value("cuda_devices", protocol::Json::array()))
        if (device.value("name", "") == name)
            return Gpu{std::stod(device.value("compute_capability", "0")), device.value("total_bytes", 0.0)};
    return std::nullopt;
}

// How unlike a profile is to a GPU: first by capability, then by memory.
std::pair<double, double> distanceOf(const simulator::DeviceProfile& profile, const Gpu& gpu)
{
    const simulator::ComputeCapability& capability = profile.compute->capability.value;
    const double number = capability.major + capability.minor / 10.0;
    return {
        std::abs(number - gpu.capability), std::abs(static_cast<double>(profile.memory->totalBytes.value) - gpu.bytes)};
}

std::string profileFor(const Gpu& gpu, const simulator::ProfileCatalogue& profiles)
{
    const simulator::DeviceProfile* closest = nullptr;
    for (const simulator::DeviceProfile& profile : profiles.devices())
        if (profile.compute && profile.memory
            && (closest == nullptr || distanceOf(profile, gpu) < distanceOf(*closest, gpu)))
            closest = &profile;
    return closest->name;
}

} // namespace

bool hasBudget(const config::Trial& trial)
{
    return config::budgetOf(budgetNotation(trial)).has_value();
}

config::Trial twinOf(const config::Trial& trial, const std::optional<protocol::WorkerDescription>& machine,
    const simulator::ProfileCatalogue& profiles)
{
    config::Trial twin = trial;
    twin.memoryLimitBytes.reset();
    if (trial.device.isRehearsed()) {
        twin.device.kind = config::DeviceKind::Simulated;
        return twin;
    }
    std::string profile = "cpu";
    if (trial.device.kind == config::DeviceKind::Cuda)
        profile = profileFor(gpuOf(machine, trial.device.name()).value_or(Gpu{}), profiles);
    twin.device = config::parseDevice("sim:" + profile, "device.name");
    return twin;
}

bool isPlan(const protocol::RepeatResult& simulated)
{
    return simulated.resolved.contains(kBudgetTechnique);
}

config::Trial withPlan(config::Trial trial, const protocol::RepeatResult& plan)
{
    trial.configuration.techniques.at(kBudgetTechnique).notation = plan.resolved.at(kBudgetTechnique);
    return trial;
}

protocol::RepeatResult withRemark(
    protocol::RepeatResult measured, const config::Trial& trial, const protocol::RepeatResult& plan)
{
    measured.resolved = plan.resolved;
    std::string& effective = measured.effective[kBudgetTechnique];
    effective = config::budgetRemark(config::budgetOf(budgetNotation(trial)).value_or(0),
                    plan.resolved.at(kBudgetTechnique), plan.memory.peak.allocated.value_or(0))
        + effective;
    return measured;
}

const protocol::RepeatResult* BudgetPlans::find(const config::Trial& trial) const
{
    return m_trial == trial ? &m_plan : nullptr;
}

const protocol::RepeatResult& BudgetPlans::add(const config::Trial& trial, protocol::RepeatResult plan)
{
    m_trial = trial;
    m_plan = std::move(plan);
    return m_plan;
}

using protocol::RepeatResult;
using protocol::WorkerRequest;

RepeatExecutor::RepeatExecutor(
    std::filesystem::path worker, WorkerProcess::LogSink log, protocol::TraceDepth traceDepth)
    : m_program(std::move(worker))
    , m_traceDepth(traceDepth)
    , m_log(std::move(log))
{
    if (std::filesystem::is_directory(m_program) || ::access(m_program.c_str(), X_OK) != 0)
        throw FileError("worker cannot be started", m_program.string(), "an executable program");
}

RepeatResult RepeatExecutor::carryOut(const PlannedTrial& planned, int repeat, const std::filesystem::path& spool,
    const Patience& patience, const WorkerSession::EventSink& sink)
{
    const bool simulated = planned.trial.device.isSimulated();
    const WorkerRequest request{.kind = simulated ? protocol::RequestKind::Simulate : protocol::RequestKind::Run,
        .id = ++m_lastId,
        .trial = planned.trial,
        .repeat = repeat,
        .spoolPath = spool.string(),
        .traceDepth = m_traceDepth};
    if (simulated)
        return simulate(request, patience, sink);
    return hasBudget(planned.trial) ? measureWithinBudget(request, patience, sink) : measure(request, patience, sink);
}

std::unique_ptr<WorkerSession> RepeatExecutor::start(
    const std::string& allocator, const WorkerSurroundings& surroundings) const
{
    auto session = std::make_unique<WorkerSession>(m_program, allocator, surroundings);
    session->setLogSink(m_log);
    return session;
}

RepeatResult RepeatExecutor::measure(
    const WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink)
{
    if (request.trial->device.isRehearsed())
        return rehearse(request, patience, sink);
    return alone(*start(request.trial->allocator), request, patience, sink);
}

RepeatResult RepeatExecutor::alone(WorkerSession& session, const WorkerRequest& request, const Patience& patience,
    const WorkerSession::EventSink& sink)
{
    RepeatResult result = session.carryOut(request, patience, sink);
    remember(session);
    if (const std::string remark = session.finish(); !remark.empty())
        result.diagnostics.push_back(remark);
    return result;
}

// What a trial that does not fit needs is as much a result as the fact that it does not.
RepeatResult RepeatExecutor::rehearse(
    const WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink)
{
    RepeatResult result = rehearse(request, RehearsedCard::Capacity::OfTheCard, patience, sink);
    if (!result.outOfMemory)
        return result;
    WorkerRequest unlimited = request;
    unlimited.aim = protocol::SimulationAim::Need;
    unlimited.spoolPath.clear();
    const RepeatResult need = rehearse(unlimited, RehearsedCard::Capacity::Unlimited, patience, {});
    if (need.outcome == Outcome::Cancelled)
        return need;
    result.need = protocol::needOf(need, *result.outOfMemory);
    if (!result.need)
        result.diagnostics.push_back("what the trial needs in all is not known: " + need.reason);
    return result;
}

RepeatResult RepeatExecutor::rehearse(const WorkerRequest& request, RehearsedCard::Capacity capacity,
    const Patience& patience, const WorkerSession::EventSink& sink)
{
    const RehearsedCard card(profiles().simulatedDevice(*request.trial).device, {.capacity = capacity});
    RepeatResult result = alone(*start(request.trial->allocator, card.surroundings()), request, patience, sink);
    const RehearsedCard::Ledger ledger = card.ledger();
    result.memory.notCounted = ledger.notCounted;
    for (const auto& [function, count] : ledger.refused)
        result.diagnostics.push_back(
            "the card that is not there refused " + function + ", " + counted(count, "call") + " of it");
    return result;
}

const simulator::ProfileCatalogue& RepeatExecutor::profiles()
{
    if (!m_profiles)
        m_profiles.emplace(config::resourceDirectory());
    return *m_profiles;
}

RepeatResult RepeatExecutor::measureWithinBudget(
    const WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink)
{
    const RepeatResult& plan = planOf(*request.trial, patience, sink);
    if (!isPlan(plan))
        return plan;
    WorkerRequest resolved = request;
    resolved.trial = withPlan(*request.trial, plan);
    return withRemark(measure(resolved, patience, sink), *request.trial, plan);
}

// Repeats of a trial have the same plan.
const RepeatResult& RepeatExecutor::planOf(
    const config::Trial& trial, const Patience& patience, const WorkerSession::EventSink& sink)
{
    if (const RepeatResult* known = m_plans.find(trial))
        return *known;
    std::optional<protocol::WorkerDescription> machine;
    if (trial.device.kind == config::DeviceKind::Cuda)
        machine = start(trial.allocator)->describe(patience);
    const WorkerRequest request{.kind = protocol::RequestKind::Simulate,
        .id = ++m_lastId,
        .trial = twinOf(trial, machine, profiles()),
        .aim = protocol::SimulationAim::Answer};
    return m_plans.add(trial, simulate(request, patience, sink));
}

RepeatResult RepeatExecutor::simulate(
    const WorkerRequest& request, const Patience& patience, const WorkerSession::EventSink& sink)
{
    if (m_resident == nullptr || !m_resident->isUsable())
        m_resident = start();
    RepeatResult result = m_resident->carryOut(request, patience, sink);
    remember(*m_resident);
    return result;
}

void RepeatExecutor::remember(const WorkerSession& session)
{
    if (session.hello())
        m_description = session.hello();
}

std::string RepeatExecutor::finish()
{
    const std::string remark = m_resident == nullptr ? "" : m_resident->finish();
    m_resident.reset();
    return remark;
}

} // namespace headroom::experiments
