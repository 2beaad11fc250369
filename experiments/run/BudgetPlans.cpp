// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/BudgetPlans.h"

#include "core/config/techniques/BudgetSize.h"
#include "core/config/techniques/CheckpointNotation.h"

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

} // namespace headroom::experiments
