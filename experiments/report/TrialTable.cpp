// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TrialTable.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/TableBuilder.h"

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
    return interval && !trial.isPredicted()
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
        builder.addText("case", [&](const ReportTrial& trial) { return comparison.groupOf(trial).title; });
    builder.addText("techniques", [](const ReportTrial& trial) { return trial.techniques; });
}

void addOutcome(TableBuilder& builder)
{
    builder.addText("outcome", outcomeText);
    builder.addText("kind", [](const ReportTrial& trial) { return trial.provenance(); });
}

void addMemory(TableBuilder& builder, const Comparison& comparison)
{
    builder.addBytes("peak reserved", peak(&protocol::MemoryFigures::reserved),
        "The most that the allocator took from the device after warm-up");
    builder.addBytes(
        "peak allocated", peak(&protocol::MemoryFigures::allocated), "The most that tensors held after warm-up");
    builder.addRoundedBytes(
        "needs", [](const ReportTrial& trial) { return trial.result.memory.need.needed; },
        "What the device must have for the whole trial: reserved at most, the driver's part and what is outside of the "
        "allocator; also where it ran out of memory");
    builder.addBytes(
        "saved", [&](const ReportTrial& trial) { return comparison.versus(trial).savedBytes; },
        "Less peak memory than the reference; negative: more");
    builder.addResultText("fits", fitText, "Whether the device, or the limit that was set, has room for it");
}

void addSpeed(TableBuilder& builder, const Comparison& comparison)
{
    builder.addNumbers(
        speedUnitName(SpeedUnit::Steps), [](const ReportTrial& trial) { return trial.stepsPerSecond(); }, fixed,
        "Steps per second: one divided by the median step time");
    builder.addResultText("95 % interval", intervalText, "Bootstrap interval of the speed over all samples");
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

} // namespace

ReportTable trialTable(const ReportContent& content, const Comparison& comparison)
{
    TableBuilder builder(content.trials);
    addIdentity(builder, comparison);
    addMemory(builder, comparison);
    addSpeed(builder, comparison);
    addNumerics(builder);
    addOutcome(builder);
    return builder.table();
}

} // namespace headroom::report
