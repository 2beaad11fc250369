// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/MergedRepeats.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/RecordingFamily.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/results/LargestMemory.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

using config::Configuration;
using config::TechniqueDescriptor;
using protocol::RepeatResult;

// The member's value in the first repeat that has one.
template <typename Member> auto firstKnown(const std::vector<RepeatResult>& repeats, Member member)
{
    auto value = RepeatResult{}.*member;
    for (const RepeatResult& repeat : repeats)
        if (!value)
            value = repeat.*member;
    return value;
}

template <typename Member> auto firstFilled(const std::vector<RepeatResult>& repeats, Member member)
{
    auto value = RepeatResult{}.*member;
    for (const RepeatResult& repeat : repeats)
        if (value.empty())
            value = repeat.*member;
    return value;
}

// The family's FLOPs are for one pass over the batch; a training step makes one pass per micro-step.
double flopsPerStep(const config::ModelFamily& family, const Configuration& configuration)
{
    const config::Workload& workload = configuration.workload;
    const double pass = family.flopsPerStep(configuration.modelFields, workload.shapes, workload.step);
    return workload.step == config::StepKind::Inference ? pass : pass * workload.accumulate;
}

MeasuredModel measuredModel(const Configuration& configuration, const std::vector<RepeatResult>& repeats)
{
    const config::ModelDescriptor descriptor = config::findModel(configuration.model, "model.name");
    const config::ValueMap changed = descriptor.fields.differing(configuration.modelFields);
    MeasuredModel model;
    model.name = configuration.model;
    NamedValues overrides;
    for (const config::Field& field : descriptor.fields.all())
        if (const auto it = changed.find(field.name); it != changed.end() && field.name != config::kArchiveField)
            overrides.emplace_back(field.name, it->second);
    model.overrides = std::move(overrides);
    model.parameters = firstKnown(repeats, &RepeatResult::parameters)
                           .value_or(descriptor.family->parameters(configuration.modelFields));
    model.weightBytes = firstKnown(repeats, &RepeatResult::weightBytes);
    model.flopsPerStep = flopsPerStep(*descriptor.family, configuration);
    model.imported = config::importedFactsOf(configuration);
    return model;
}

// step and dtype, the model's shapes, then the rest, each in its own order.
NamedValues workloadValues(const Configuration& configuration)
{
    const config::ValueMap values = config::toValues(configuration.workload);
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    std::vector<std::string> names{"step", "dtype"};
    for (const config::Field& field : model.shapes.all())
        names.push_back(field.name);
    for (const config::Field& field : config::workloadFields().all())
        names.push_back(field.name);
    NamedValues workload;
    for (const std::string& name : names)
        if (std::ranges::find(workload, name, &NamedValues::value_type::first) == workload.end())
            workload.emplace_back(name, values.at(name));
    return workload;
}

NamedValues optionValues(const TechniqueDescriptor& technique, const config::TechniqueSetting& setting)
{
    NamedValues options;
    for (const config::Field& option : technique.options.all())
        options.emplace_back(option.name, setting.options.at(option.name));
    return options;
}

std::vector<TechniqueResult> techniqueResults(
    const Configuration& configuration, const std::vector<RepeatResult>& repeats)
{
    const auto effective = firstFilled(repeats, &RepeatResult::effective);
    std::vector<TechniqueResult> results;
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = configuration.techniques.at(technique.key);
        results.push_back({technique.key, setting.notation, optionValues(technique, setting)});
        if (const auto found = effective.find(technique.key); found != effective.end())
            results.back().effective = found->second;
    }
    return results;
}

// Near its limit the allocator flushes its cache and retries, so the measured speed is not that of the technique.
void flagPressure(TrialResult& result)
{
    constexpr Bytes kNearDivisor = 20; // within 5 % of the limit
    const TrialMemory& memory = result.memory;
    const auto held = memory.peak.reserved ? memory.peak.reserved : memory.peak.allocated;
    // A trial that ran out of memory flushed without success; its outcome already shows that.
    if (result.outcome == Outcome::OutOfMemory)
        return;
    if (memory.allocRetries.value_or(0) > 0)
        result.addFlag("pressured",
            std::to_string(*memory.allocRetries) + " allocations succeeded only after the cache was flushed");
    else if (held && memory.limit && *held > *memory.limit - *memory.limit / kNearDivisor)
        result.addFlag("pressured", "the peak is within 5 % of the limit");
}

void flagUnsteadiness(TrialResult& result, const std::vector<RepeatResult>& repeats)
{
    for (std::size_t index = 0; index < repeats.size(); ++index)
        for (const std::string& objection : repeats[index].objections)
            result.addFlag("not_steady", "repeat " + std::to_string(index) + ": " + objection);
}

// A technique that is on and whose counters are all zero did nothing.
void flagIdleTechniques(TrialResult& result)
{
    if (!result.hasCompleted())
        return;
    for (const TechniqueResult& technique : result.techniques) {
        const auto counters = result.engagement->find(technique.key);
        if (!result.isOff(technique.key) && counters != result.engagement.end()
            && std::ranges::all_of(counters->second, [](const auto& counter) { return counter.second == 0; }))
            result.addFlag("no_effect", "every counter of " + technique.key + " is zero");
    }
}

std::string reasonFor(const PlannedTrial& planned, const std::vector<RepeatResult>& repeats, Outcome outcome)
{
    for (const RepeatResult& repeat : repeats)
        if (repeat.outcome == outcome)
            return repeat.reason;
    return planned.skipReason();
}

std::string baselineId(config::Trial trial)
{
    trial.configuration = config::baselineOf(trial.configuration);
    return protocol::trialId(trial);
}

std::optional<TrialNumerics> numericsOf(const PlannedTrial& planned, const std::vector<RepeatResult>& repeats)
{
    const auto numerics = firstKnown(repeats, &RepeatResult::numerics);
    return numerics ? std::optional(TrialNumerics{*numerics, baselineId(planned.trial)}) : std::nullopt;
}

// Running out of memory in the baseline that a comparison runs first says nothing about the trial itself.
std::optional<bool> fitsOf(const PlannedTrial& planned, const TrialResult& result, const FitsJudge& judge)
{
    if (result.outcome == Outcome::OutOfMemory) {
        const bool failedInBaseline = result.outOfMemory && result.outOfMemory->phase == "baseline";
        return failedInBaseline ? std::nullopt : std::optional(false);
    }
    return result.hasCompleted() && judge ? judge(planned.trial, result.memory) : std::nullopt;
}

TrialMemory memoryOf(const PlannedTrial& planned, const std::vector<RepeatResult>& repeats, Outcome outcome)
{
    TrialMemory memory{largestMemory(repeats)};
    if (!memory.limit)
        memory.limit = planned.trial.memoryLimitBytes;
    memory.need = trialNeed(outcome, memory, repeats);
    return memory;
}

TrialResult identityOf(const std::string& experiment, const PlannedTrial& planned)
{
    const config::DeviceSpec& device = planned.trial.device;
    TrialResult result;
    result.trialId = planned.trialId;
    result.configId = planned.configId;
    result.experiment = experiment;
    result.label = planned.label;
    result.device = device.name();
    result.runtime = device.runtime;
    result.allocator = planned.trial.allocator;
    result.isPredicted = device.isSimulated();
    result.conflicts = planned.conflicts;
    return result;
}

} // namespace

Outcome outcomeOver(const std::vector<RepeatResult>& repeats)
{
    constexpr std::array kWorstFirst{
        Outcome::Failed, Outcome::TimedOut, Outcome::Cancelled, Outcome::OutOfMemory, Outcome::Completed};
    for (const Outcome outcome : kWorstFirst)
        for (const RepeatResult& repeat : repeats)
            if (repeat.outcome == outcome)
                return outcome;
    return Outcome::Skipped;
}

TrialResult trialResult(const std::string& experiment, const PlannedTrial& planned,
    const std::vector<RepeatResult>& repeats, const FitsJudge& fits)
{
    TrialResult result = identityOf(experiment, planned);
    result.model = measuredModel(planned.trial.configuration, repeats);
    if (planned.trial.configuration.model != config::kRecordingModel) { // of which neither is known
        result.workload = workloadValues(planned.trial.configuration);
        result.techniques = techniqueResults(planned.trial.configuration, repeats);
    }
    result.engagement = firstFilled(repeats, &RepeatResult::engagement);
    result.outcome = outcomeOver(repeats);
    result.reason = reasonFor(planned, repeats, result.outcome);
    result.outOfMemory = firstKnown(repeats, &RepeatResult::outOfMemory);
    result.memory = memoryOf(planned, repeats, result.outcome);
    result.memory.fits = fitsOf(planned, result, fits);
    result.breakdown = firstKnown(repeats, &RepeatResult::breakdown); // the breakdown is the same in each repeat
    result.speed = trialSpeed(planned.trial, repeats);
    result.numerics = numericsOf(planned, repeats);
    flagPressure(result);
    flagUnsteadiness(result, repeats);
    flagIdleTechniques(result);
    return result;
}

TrialResult notRunResult(const std::string& experiment, const PlannedTrial& planned)
{
    TrialResult result = trialResult(experiment, planned, {});
    result.outcome = Outcome::NotRun;
    return result;
}

} // namespace headroom::experiments
