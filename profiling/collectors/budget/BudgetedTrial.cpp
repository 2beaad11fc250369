// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/BudgetedTrial.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Statistics.h"
#include "core/config/techniques/BudgetSize.h"
#include "profiling/collectors/budget/BudgetPlanner.h"
#include "profiling/measurement/Ending.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

/// The device; if its profile says nothing of its speed, as that of the CPU does, with that of a nominal processor. A
/// plan compares the times of ops with each other, for which the ratio of arithmetic to memory traffic is enough.
simulator::SimulatedDevice withSpeed(simulator::SimulatedDevice device);

constexpr const char* kSource =
    "a nominal processor: two cores of 16 float32 multiply-adds a cycle at 3 GHz, one memory channel";
constexpr double kFlops = 2 * 32 * 3e9;
constexpr double kBandwidth = 20e9;
constexpr double kOpSeconds = 5e-6;

simulator::SpeedProfile nominalSpeed()
{
    simulator::SpeedProfile speed;
    const simulator::Sourced<double> flops{kFlops, kSource};
    speed.peakFlops[static_cast<std::size_t>(simulator::MathType::Float32)] = flops;
    speed.peakFlops[static_cast<std::size_t>(simulator::MathType::Float64)] = {kFlops / 2, kSource};
    speed.bandwidthBytesPerSecond = {kBandwidth, kSource};
    speed.hostLinkBytesPerSecond = {kBandwidth / 2, kSource};
    speed.kernelLaunchSeconds = {kOpSeconds, kSource};
    speed.kernelFloorSeconds = {0, kSource};
    speed.flopsFraction = {1, kSource};
    speed.bandwidthFraction = {1, kSource};
    return speed;
}

simulator::SimulatedDevice withSpeed(simulator::SimulatedDevice device)
{
    if (!device.device.speed)
        device.device.speed = nominalSpeed();
    return device;
}

constexpr const char* kTechnique = "checkpointing";
constexpr int kMostTrials = 6;

config::CheckpointPolicy policyOf(const config::Trial& trial)
{
    return config::parseCheckpointing(
        trial.configuration.techniques.at(kTechnique).notation, "techniques.checkpointing");
}

/// Plans for one trial, and simulates it with what was planned.
class BudgetSearch {
public:
    BudgetSearch(const config::Trial& trial, simulator::SimulatedDevice device, MeasurementListener& listener)
        : m_trial(trial)
        , m_device(withSpeed(std::move(device)))
        , m_listener(listener)
        , m_policy(policyOf(trial))
    {
    }

    BudgetedTrial run();

private:
    struct Simulated {
        config::Trial trial;
        Bytes peakBytes = 0;
        double seconds = 0;
    };

    Simulated simulated(const BlockPolicies& policies);
    std::optional<Simulated> bestWithin(BudgetPlanner& planner);
    Simulated leastOf(BudgetPlanner& planner);
    [[noreturn]] void refuse(const Simulated& least) const;
    BudgetedTrial accepted(const Simulated& simulated) const
    {
        return {simulated.trial, simulated.trial.configuration.techniques.at(kTechnique).notation, m_policy.budget,
            simulated.peakBytes};
    }

    const config::Trial& m_trial;
    simulator::SimulatedDevice m_device;
    MeasurementListener& m_listener;
    config::CheckpointPolicy m_policy;
};

Bytes stepPeakOf(const protocol::RepeatResult& result, const config::Trial& trial)
{
    const Bytes steady = result.memory.peak.allocated.value_or(0);
    return trial.protocol.plainWarmup ? steady : std::max(steady, result.memory.firstStepPeak.allocated.value_or(0));
}

BudgetSearch::Simulated BudgetSearch::simulated(const BlockPolicies& policies)
{
    Simulated result{.trial = m_trial};
    result.trial.configuration.techniques.at(kTechnique).notation =
        toText(config::policyOf(policies, m_policy.offload));
    SimulatedInstruments instruments(m_device, std::nullopt, DeviceLimit::Lifted);
    TrialMeasurement measurement(result.trial, instruments, m_listener);
    measurement.setDiagnostics(Diagnostics::Off);
    const protocol::RepeatResult measured = measurement.run();
    if (measured.outcome == Outcome::Cancelled)
        throw Cancelled{};
    result.peakBytes = stepPeakOf(measured, m_trial);
    result.seconds = median(measured.stepSeconds).value_or(0);
    return result;
}

// A trial may take more than the step that was planned with, by what its protocol keeps or where its allocator's blocks
// come from: the next plan then has that much less.
std::optional<BudgetSearch::Simulated> BudgetSearch::bestWithin(BudgetPlanner& planner)
{
    Bytes beyond = 0;
    for (int round = 0; round < kMostTrials; ++round) {
        const auto planned = planner.within(m_policy.budget - beyond);
        planner.release();
        if (!planned)
            break;
        const Simulated trial = simulated(planned->policies);
        if (trial.peakBytes <= m_policy.budget)
            return trial;
        beyond = std::max(beyond + trial.peakBytes - m_policy.budget, trial.peakBytes - planned->peakBytes);
    }
    return std::nullopt;
}

BudgetSearch::Simulated BudgetSearch::leastOf(BudgetPlanner& planner)
{
    const std::vector<PlannedBlocks> candidates = planner.least();
    planner.release();
    std::optional<Simulated> least;
    for (const PlannedBlocks& planned : candidates)
        if (const Simulated trial = simulated(planned.policies); !least || trial.peakBytes < least->peakBytes)
            least = trial;
    return least.value();
}

void BudgetSearch::refuse(const Simulated& least) const
{
    throw TrialError(std::string(config::kBudgetTooSmall) + sizeText(least.peakBytes)
            + " of allocated memory, whatever is recomputed",
        "checkpointing = " + toText(m_policy), "budget:" + config::budgetSizeText(least.peakBytes) + " or more");
}

BudgetedTrial BudgetSearch::run()
{
    const bool isInference = m_trial.configuration.workload.step == config::StepKind::Inference;
    if (isInference) {
        const Simulated plain = simulated(BlockPolicies());
        return plain.peakBytes <= m_policy.budget ? accepted(plain) : (refuse(plain), BudgetedTrial{});
    }
    std::optional<Simulated> least;
    {
        BudgetPlanner planner(m_trial, m_device, [this] {
            if (m_listener.isCancelled())
                throw Cancelled{};
        });
        if (const auto best = bestWithin(planner))
            return accepted(*best);
        least = leastOf(planner);
    }
    if (least->peakBytes > m_policy.budget)
        refuse(*least);
    return accepted(*least);
}

} // namespace

BudgetedTrial planBudget(
    const config::Trial& trial, const simulator::SimulatedDevice& device, MeasurementListener& listener)
{
    return BudgetSearch(trial, device, listener).run();
}

} // namespace headroom::collectors
