// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationRow.h"

#include "core/base/ShellWords.h"
#include "core/base/Statistics.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/spec/RunWords.h"
#include "experiments/sweep/TaskText.h"

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

ValidatedFigures figuresOf(const protocol::RepeatResult& result, StepTimes times)
{
    ValidatedFigures figures{.outcome = result.outcome, .reason = result.reason};
    figures.allocated = result.memory.peak.allocated;
    figures.reserved = result.memory.peak.reserved;
    figures.hostPinned = result.memory.peak.hostPinned;
    figures.hostPageable = result.memory.peak.hostPageable;
    figures.savedForBackward = result.memory.savedForBackward;
    if (times == StepTimes::Measured)
        figures.stepSeconds = median(result.stepSeconds);
    return figures;
}

// The label with commas between its parts.
std::string techniquesText(const config::Configuration& configuration)
{
    constexpr std::string_view kBar = " | ";
    std::string label = config::techniqueLabel(configuration);
    for (std::size_t at = label.find(kBar); at != std::string::npos; at = label.find(kBar, at))
        label.replace(at, kBar.size(), ", ");
    return label;
}

template <typename Figure> std::optional<double> relativeError(const ValidationRow& row, Figure figure)
{
    if (row.measured.outcome != Outcome::Completed || row.predicted.outcome != Outcome::Completed)
        return std::nullopt;
    const auto measured = row.measured.*figure;
    const auto predicted = row.predicted.*figure;
    if (!measured || !predicted || !(*measured > 0))
        return std::nullopt;
    return static_cast<double>(*predicted - *measured) / static_cast<double>(*measured);
}

bool isEnd(Outcome outcome)
{
    return outcome == Outcome::Completed || outcome == Outcome::OutOfMemory;
}

bool isSameWhereKnown(const std::optional<Bytes>& one, const std::optional<Bytes>& other)
{
    return !one || !other || *one == *other;
}

OrderedJson figuresJson(const ValidatedFigures& figures)
{
    using protocol::orNull;
    return {{"outcome", toText(figures.outcome)},
        {"reason", figures.reason.empty() ? OrderedJson(nullptr) : OrderedJson(figures.reason)},
        {"allocated_bytes", orNull(figures.allocated)}, {"reserved_bytes", orNull(figures.reserved)},
        {"host_pinned_bytes", orNull(figures.hostPinned)}, {"host_pageable_bytes", orNull(figures.hostPageable)},
        {"saved_for_backward_bytes", orNull(figures.savedForBackward)}, {"step_seconds", orNull(figures.stepSeconds)}};
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

std::optional<double> ValidationRow::allocatedError() const
{
    return relativeError(*this, &ValidatedFigures::allocated);
}

std::optional<double> ValidationRow::reservedError() const
{
    return relativeError(*this, &ValidatedFigures::reserved);
}

std::optional<double> ValidationRow::stepError() const
{
    return relativeError(*this, &ValidatedFigures::stepSeconds);
}

bool ValidationRow::isAnswered() const
{
    return isEnd(measured.outcome) && isEnd(predicted.outcome);
}

bool ValidationRow::hasSameHostMemory() const
{
    return measured.outcome == Outcome::Completed && predicted.outcome == Outcome::Completed
        && isSameWhereKnown(measured.hostPinned, predicted.hostPinned)
        && isSameWhereKnown(measured.hostPageable, predicted.hostPageable);
}

ValidationRow rowOf(const ValidationPair& pair, const protocol::RepeatResult& measured,
    const protocol::RepeatResult& predicted, StepTimes times)
{
    const config::Trial& trial = pair.measured.trial;
    return {.trialId = pair.measured.trialId,
        .predictedTrialId = pair.predicted.trialId,
        .configId = pair.measured.configId,
        .model = trial.configuration.model,
        .task = taskText({&trial}),
        .techniques = techniquesText(trial.configuration),
        .command = shellCommand(runWords(trial)),
        .measured = figuresOf(measured, times),
        .predicted = figuresOf(predicted, times),
        .opsWithoutRule = predicted.opsWithoutRule,
        .predictedBreakdown = predicted.breakdown};
}

OrderedJson toJson(const ValidationRow& row)
{
    OrderedJson json;
    json["trial_id"] = row.trialId;
    json["predicted_trial_id"] = row.predictedTrialId;
    json["config_id"] = row.configId;
    json["model"] = row.model;
    json["task"] = row.task;
    json["techniques"] = row.techniques;
    json["command"] = row.command;
    json["measured"] = figuresJson(row.measured);
    json["predicted"] = figuresJson(row.predicted);
    json["allocated_rel"] = protocol::orNull(row.allocatedError());
    json["reserved_rel"] = protocol::orNull(row.reservedError());
    json["step_rel"] = protocol::orNull(row.stepError());
    json["ops_without_rule"] = row.opsWithoutRule;
    return json;
}

} // namespace headroom::experiments
