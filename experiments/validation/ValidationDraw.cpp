// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationDraw.h"

#include "core/protocol/TrialCodec.h"

#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

// A model with few techniques to combine repeats itself, and a filter leaves out most: how many draws a trial may take.
constexpr std::size_t kDrawsOfATrial = 50;
constexpr double kMostWarmupSeconds = 2;

PlannedTrial plannedOn(
    const config::DeviceSpec& device, const config::Configuration& configuration, const ValidationDraw& draw)
{
    PlannedTrial planned;
    planned.trial.configuration = configuration;
    planned.trial.device = device;
    planned.trial.protocol = draw.protocol;
    planned.trialId = protocol::trialId(planned.trial);
    planned.configId = protocol::configId(configuration);
    planned.label = configuration.model + " | " + config::techniqueLabel(configuration);
    return planned;
}

// On the device that runs, each once.
std::vector<PlannedTrial> drawnTrials(const ValidationDraw& draw, std::size_t count)
{
    config::CombinationDraw combinations(draw.seed, draw.models);
    std::vector<PlannedTrial> trials;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < draw.trials * kDrawsOfATrial && trials.size() < count; ++i) {
        PlannedTrial planned = plannedOn(draw.device, combinations.next(), draw);
        if (seen.insert(planned.configId).second)
            trials.push_back(std::move(planned));
    }
    return trials;
}

} // namespace

std::vector<ValidationPair> drawPairs(const ValidationDraw& draw, const ChosenTrials& chosen)
{
    std::vector<PlannedTrial> trials = drawnTrials(draw, chosen ? draw.trials * kDrawsOfATrial : draw.trials);
    if (chosen)
        trials = chosen(std::move(trials));
    trials.resize(std::min(trials.size(), draw.trials));
    std::vector<ValidationPair> pairs;
    for (PlannedTrial& measured : trials) {
        PlannedTrial predicted = plannedOn(draw.against, measured.trial.configuration, draw);
        pairs.push_back({std::move(measured), std::move(predicted)});
    }
    return pairs;
}

config::MeasurementProtocol validationProtocol(StepTimes times, int steps)
{
    config::MeasurementProtocol protocol;
    const bool isTimed = times == StepTimes::Measured;
    protocol.warmupSteps = isTimed ? 2 : 1;
    protocol.steps = isTimed ? steps : 1;
    if (isTimed)
        protocol.maxWarmupSeconds = kMostWarmupSeconds;
    else
        protocol.maxWarmupSteps = 1; // one step is not tested for steadiness
    return protocol;
}

} // namespace headroom::experiments
