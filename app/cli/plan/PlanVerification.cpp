// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/PlanVerification.h"

#include "core/base/Quantities.h"
#include "core/base/Statistics.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/run/RepeatExecutor.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/verdict/DeviceFit.h"

#include <fmt/format.h>

#include <cmath>

namespace headroom::cli {

using experiments::PlannedTrial;
using protocol::RepeatResult;

namespace {

PlannedTrial plannedOn(const config::Trial& trial, const config::DeviceSpec& device)
{
    config::Trial moved = trial;
    moved.device = device;
    if (device.kind == config::DeviceKind::Cpu) // its limit is a card's
        moved.memoryLimitBytes.reset();
    moved.segmentAddresses.reset();
    std::vector<PlannedTrial> planned{
        {moved, protocol::trialId(moved), protocol::configId(moved.configuration), {}, {}, {}, {}}};
    experiments::labelTrials(planned);
    return planned.front();
}

// The device whose prediction is compared: the processor's own for the processor.
config::Trial predictedTrial(const config::Trial& trial, const PlannedTrial& measured)
{
    if (measured.trial.device.kind != config::DeviceKind::Cpu)
        return trial;
    config::Trial simulated = measured.trial;
    simulated.device = config::parseDevice("sim:cpu", "--verify");
    return simulated;
}

std::string verificationText(const VerifiedChoice& choice)
{
    if (!choice.measured.hasCompleted())
        return "It did not complete: " + choice.measured.ending() + ".";
    const auto error = choice.memoryError();
    if (!error)
        return "Its peak cannot be compared: one side is not known.";
    std::string text = fmt::format("The prediction {}: {} allocated at the peak, {} predicted ({}).",
        choice.held ? "held" : "did not hold", sizeText(*choice.measuredBytes), sizeText(*choice.predictedBytes),
        signedPercentText(*error));
    if (choice.measuredSeconds && choice.measured.provenance() == config::Provenance::Measured)
        text += fmt::format(" A step took {:.3g} s{}.", *choice.measuredSeconds,
            choice.predictedSeconds ? fmt::format(", {:.3g} s predicted", *choice.predictedSeconds) : "");
    return text;
}

VerifiedChoice comparedChoice(const config::Trial& trial, const PlannedTrial& planned, const RepeatResult& measured,
    const RepeatResult& predicted, const std::string& experiment)
{
    VerifiedChoice choice{
        .trialId = protocol::trialId(trial), .measured = experiments::trialResult(experiment, planned, {measured})};
    choice.measuredBytes = measured.memory.peak.allocated;
    choice.predictedBytes = predicted.memory.peak.allocated;
    choice.measuredSeconds = median(measured.stepSeconds);
    choice.predictedSeconds = median(predicted.stepSeconds);
    const auto error = choice.memoryError();
    choice.held =
        choice.measured.hasCompleted() && error && std::abs(*error) <= 1.0 / experiments::DeviceFit::kMarginDivisor;
    choice.text = verificationText(choice);
    return choice;
}

} // namespace

std::optional<double> VerifiedChoice::memoryError() const
{
    if (!measuredBytes || !predictedBytes || *predictedBytes == 0)
        return std::nullopt;
    return static_cast<double>(*measuredBytes) / static_cast<double>(*predictedBytes) - 1;
}

std::vector<VerifiedChoice> verified(const std::vector<experiments::PlannedChoice>& choices,
    const config::DeviceSpec& device, const std::string& experiment, std::chrono::duration<double> patience,
    const std::stop_token& stop)
{
    experiments::RepeatExecutor executor(config::workerProgram(), [](const std::string&) { });
    experiments::TrialPredictor predictor(patience);
    std::vector<VerifiedChoice> rows;
    for (const experiments::PlannedChoice& choice : choices) {
        const PlannedTrial planned = plannedOn(choice.trial, device);
        if (stop.stop_requested() || !config::problemsOf(planned.trial).empty())
            continue;
        const RepeatResult measured = executor.carryOut(planned, 0, {}, {.stop = stop}, {});
        if (stop.stop_requested())
            break; // what was interrupted says nothing
        const RepeatResult predicted =
            predictor.simulate(predictedTrial(choice.trial, planned), protocol::SimulationAim::Answer, stop);
        rows.push_back(comparedChoice(choice.trial, planned, measured, predicted, experiment));
    }
    executor.finish();
    return rows;
}

} // namespace headroom::cli
