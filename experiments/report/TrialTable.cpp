// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TrialTable.h"

#include "core/base/Numbers.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/SweepAxes.h"
#include "experiments/report/TableBuilder.h"

#include <algorithm>
#include <map>

namespace headroom::report {
namespace {

std::string outcomeText(const ReportTrial& trial)
{
    std::string text = inWords(toText(trial.result.outcome));
    if (trial.repeats > 0 && trial.repeats < trial.expectedRepeats && trial.result.outcome != Outcome::Skipped)
        text += " (" + std::to_string(trial.repeats) + " of " + std::to_string(trial.expectedRepeats) + " repeats)";
    for (const std::string& flag : trial.result.flagNames())
        text += kFlagSeparator + inWords(flag);
    return text;
}

std::string fitText(const ReportTrial& trial)
{
    const auto fits = trial.fits();
    return !fits ? "" : *fits ? "yes" : "no";
}

// A prediction has no scatter that an interval could show.
std::string intervalText(const ReportTrial& trial)
{
    const auto interval = trial.stepsPerSecond95();
    return interval && trial.isMeasured()
        ? significant(interval->low, kColumnDigits) + " to " + significant(interval->high, kColumnDigits)
        : std::string();
}

TableBuilder::Amount peak(std::optional<Bytes> protocol::MemoryFigures::* figure)
{
    return [figure](const ReportTrial& trial) { return trial.result.memory.peak.*figure; };
}

TableBuilder::Number differenceIn(std::optional<double> protocol::Numerics::* figure)
{
    return [figure](const ReportTrial& trial) {
        return trial.result.numerics ? (*trial.result.numerics).*figure : std::nullopt;
    };
}

std::string deviationText(double value, int)
{
    return deviation(value);
}

void addIdentity(TableBuilder& builder, const Comparison& comparison)
{
    if (comparison.groups().size() > 1)
        builder.addText(kCaseColumn, [&](const ReportTrial& trial) { return comparison.groupOf(trial).title; });
    builder.addText(kLabelColumn, [](const ReportTrial& trial) { return trial.techniques; });
}

std::vector<std::string> experimentsOf(const std::vector<ReportTrial>& trials)
{
    std::vector<std::string> experiments;
    for (const ReportTrial& trial : trials)
        experiments.push_back(trial.source.value_or(TrialSource{}).title);
    return experiments;
}

bool followsFrom(const std::vector<std::string>& values, const std::vector<std::string>& deciders)
{
    std::map<std::string, std::string> known;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (known.try_emplace(deciders[i], values[i]).first->second != values[i])
            return false;
    return true;
}

// Of a model or workload that each experiment, or each device, has one of: parts of a spec differ in many fields at
// once, none of which was swept.
bool followsFromCase(
    const SweepAxis& axis, const std::vector<SweepAxis>& axes, const std::vector<std::string>& experiments)
{
    const auto isOf = [&](const char* table) { return axis.key.starts_with(table); };
    if (!isOf("model.") && !isOf("workload.") && !isOf("protocol."))
        return false;
    const auto device = std::ranges::find(axes, "device.name", &SweepAxis::key);
    return axis.key != "model.name"
        && (followsFrom(axis.values, experiments)
            || (device != axes.end() && followsFrom(axis.values, device->values)));
}

template <typename Wanted>
void addSettings(TableBuilder& builder, const std::vector<SweepAxis>& axes, const Wanted& wanted)
{
    for (const SweepAxis& axis : axes)
        if (wanted(axis))
            builder.addSetting(axis.title, axis.values, axis.key);
}

void addAxes(TableBuilder& builder, const std::vector<ReportTrial>& trials, const std::vector<SweepAxis>& axes)
{
    const bool areOfSeveral = std::ranges::any_of(trials, [](const auto& trial) { return trial.source.has_value(); });
    const std::vector<std::string> experiments = experimentsOf(trials);
    if (areOfSeveral)
        builder.addSetting("experiment", experiments, "The experiment that the trial is of");
    addSettings(builder, axes, [&](const SweepAxis& axis) { return !followsFromCase(axis, axes, experiments); });
}

// Behind the results: shapes and fields of the models that experiments or devices have anyway.
void addAxesOfCases(TableBuilder& builder, const std::vector<ReportTrial>& trials, const std::vector<SweepAxis>& axes)
{
    const std::vector<std::string> experiments = experimentsOf(trials);
    addSettings(builder, axes, [&](const SweepAxis& axis) { return followsFromCase(axis, axes, experiments); });
}

void addFront(TableBuilder& builder, const Comparison& comparison)
{
    const std::set<std::string> front = trialsOnFront(comparison);
    builder.addResultText(
        "front",
        [&](const ReportTrial& trial) { return front.contains(trial.id()) ? "yes"
                                            : trial.isCompleted()         ? "no"
                                                                          : ""; },
        "Whether no other trial of its case needs less memory at no less speed, or is faster with no more memory");
}

void addOutcome(TableBuilder& builder)
{
    builder.addText("outcome", outcomeText);
    builder.addText("kind", &ReportTrial::kind);
}

void addPeaks(TableBuilder& builder)
{
    builder.addBytes("peak reserved", peak(&protocol::MemoryFigures::reserved),
        "The most that the allocator took from the device after warm-up");
    builder.addBytes(
        "peak allocated", peak(&protocol::MemoryFigures::allocated), "The most that tensors held after warm-up");
}

void addNeed(TableBuilder& builder)
{
    builder.addRoundedBytes(
        "needs", [](const ReportTrial& trial) { return trial.result.memory.need.needed; },
        "What the device must have for the whole trial: reserved at most, the driver's part and what is outside of the "
        "allocator; also where it ran out of memory");
}

void addSaved(TableBuilder& builder, const Comparison& comparison)
{
    builder.addBytes(
        "saved", [&](const ReportTrial& trial) { return comparison.versus(trial).savedBytes; },
        "Less peak memory than the reference; negative: more");
}

void addFits(TableBuilder& builder)
{
    builder.addResultText("fits", fitText, "Whether the device, or the limit that was set, has room for it");
}

void addSteps(TableBuilder& builder)
{
    builder.addNumbers(
        speedUnitName(SpeedUnit::Steps), [](const ReportTrial& trial) { return trial.stepsPerSecond(); }, inColumn,
        "Steps per second: one divided by the median step time");
}

void addOtherSpeeds(TableBuilder& builder)
{
    builder.addNumbers(
        speedUnitName(SpeedUnit::Samples), [](const ReportTrial& trial) { return trial.result.speed.samplesPerSecond; },
        inColumn, "Samples per second: steps per second times the batch");
    builder.addNumbers(
        speedUnitName(SpeedUnit::Tokens), [](const ReportTrial& trial) { return trial.result.speed.tokensPerSecond; },
        inColumn, "Tokens per second: those of all samples of a step, times steps per second");
}

void addInterval(TableBuilder& builder)
{
    builder.addResultText("95 % interval", intervalText, "Bootstrap interval of the speed over all samples");
}

void addSpeedKept(TableBuilder& builder, const Comparison& comparison)
{
    builder.addNumbers(
        "speed kept", [&](const ReportTrial& trial) { return comparison.versus(trial).speedRatio; },
        [](double value, int) { return percentText(value); }, "Speed against that of the reference");
}

void addNumerics(TableBuilder& builder)
{
    builder.addNumbers("output rel. difference", differenceIn(&protocol::Numerics::outputRelL2), deviationText,
        "Norm of the difference from the output without techniques, over that output's norm");
    builder.addNumbers("output max. difference", differenceIn(&protocol::Numerics::outputMaxAbs), deviationText,
        "Largest difference of an element of the output from that without techniques");
    builder.addNumbers("loss difference", differenceIn(&protocol::Numerics::lossAbsDiff), deviationText,
        "Difference of the loss from that without techniques");
    builder.addNumbers("gradient norm rel. difference", differenceIn(&protocol::Numerics::gradNormRelDiff),
        deviationText, "Difference of the gradient norm from that without techniques");
}

// What decides comes first: need and speeds, then how they stand to the reference.
ReportTable tableByAxes(const ReportContent& content, const Comparison& comparison)
{
    TableBuilder builder(content.trials);
    const std::vector<SweepAxis> axes = sweepAxes(content.trials);
    if (axes.empty())
        addIdentity(builder, comparison);
    addAxes(builder, content.trials, axes);
    addFront(builder, comparison);
    addNeed(builder);
    addSteps(builder);
    addOtherSpeeds(builder);
    addSaved(builder, comparison);
    addSpeedKept(builder, comparison);
    addFits(builder);
    addOutcome(builder);
    addPeaks(builder);
    addInterval(builder);
    addNumerics(builder);
    addAxesOfCases(builder, content.trials, axes);
    if (!axes.empty())
        addIdentity(builder, comparison);
    return builder.table();
}

ReportTable tableByLabels(const ReportContent& content, const Comparison& comparison)
{
    TableBuilder builder(content.trials);
    addIdentity(builder, comparison);
    addPeaks(builder);
    addNeed(builder);
    addSaved(builder, comparison);
    addFits(builder);
    addSteps(builder);
    addInterval(builder);
    addSpeedKept(builder, comparison);
    addNumerics(builder);
    addOutcome(builder);
    return builder.table();
}

} // namespace

ReportTable trialTable(const ReportContent& content, const Comparison& comparison, TrialColumns columns)
{
    return columns == TrialColumns::Axes ? tableByAxes(content, comparison) : tableByLabels(content, comparison);
}

} // namespace headroom::report
