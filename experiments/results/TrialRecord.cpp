// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialRecord.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/results/MemoryRecord.h"
#include "experiments/results/RecordFlags.h"
#include "experiments/results/SpeedRecord.h"
#include "experiments/results/TrialNeed.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

using config::Configuration;
using config::TechniqueDescriptor;
using protocol::Outcome;
using protocol::RepeatResult;

OrderedJson toOrdered(const config::Value& value)
{
    return OrderedJson(protocol::toJson(value));
}

// What the first repeat that knows it says.
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

OrderedJson recordText(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

// The family counts one pass over the batch; a training step has one per micro-step.
double flopsPerStep(const config::ModelFamily& family, const Configuration& configuration)
{
    const config::Workload& workload = configuration.workload;
    const double pass = family.flopsPerStep(configuration.modelFields, workload.shapes, workload.step);
    return workload.step == config::StepKind::Inference ? pass : pass * workload.accumulate;
}

OrderedJson modelRecord(const Configuration& configuration, const std::vector<RepeatResult>& repeats)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    const config::ValueMap changed = model.fields.differing(configuration.modelFields);
    OrderedJson overrides = OrderedJson::object();
    for (const config::Field& field : model.fields.all())
        if (const auto it = changed.find(field.name); it != changed.end())
            overrides[field.name] = toOrdered(it->second);
    OrderedJson record;
    record["name"] = configuration.model;
    record["overrides"] = overrides;
    record["parameters"] =
        firstKnown(repeats, &RepeatResult::parameters).value_or(model.family->parameters(configuration.modelFields));
    record["weight_bytes"] = protocol::orNull(firstKnown(repeats, &RepeatResult::weightBytes));
    record["flops_per_step"] = flopsPerStep(*model.family, configuration);
    return record;
}

// step and dtype, the model's shapes, then the rest, each in its own order.
OrderedJson workloadRecord(const Configuration& configuration)
{
    const config::ValueMap values = config::toValues(configuration.workload);
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    OrderedJson record{{"step", toOrdered(values.at("step"))}, {"dtype", toOrdered(values.at("dtype"))}};
    for (const config::Field& field : model.shapes.all())
        record[field.name] = toOrdered(values.at(field.name));
    for (const config::Field& field : config::workloadFields().all())
        record[field.name] = toOrdered(values.at(field.name));
    return record;
}

OrderedJson optionsRecord(const TechniqueDescriptor& technique, const config::TechniqueSetting& setting)
{
    OrderedJson record = OrderedJson::object();
    for (const config::Field& option : technique.options.all())
        record[option.name] = toOrdered(setting.options.at(option.name));
    return record;
}

void addTechniques(OrderedJson& record, const PlannedTrial& planned, const std::vector<RepeatResult>& repeats)
{
    const auto effective = firstFilled(repeats, &RepeatResult::effective);
    for (const char* key : {"techniques", "options", "effective"})
        record[key] = OrderedJson::object();
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = planned.trial.configuration.techniques.at(technique.key);
        const auto found = effective.find(technique.key);
        record["techniques"][technique.key] = setting.notation;
        record["options"][technique.key] = optionsRecord(technique, setting);
        record["effective"][technique.key] = found == effective.end() ? OrderedJson() : OrderedJson(found->second);
    }
    record["conflicts"] = planned.conflicts;
}

// Techniques that are on and whose every counter is zero did nothing.
std::vector<std::string> idleTechniques(
    const PlannedTrial& planned, const std::map<std::string, std::map<std::string, std::int64_t>>& counters)
{
    std::vector<std::string> idle;
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const auto found = counters.find(technique.key);
        if (planned.trial.configuration.techniques.at(technique.key).notation != technique.off
            && found != counters.end()
            && std::all_of(found->second.begin(), found->second.end(), [](const auto& c) { return c.second == 0; }))
            idle.push_back(technique.key);
    }
    return idle;
}

// Near its limit an allocator flushes its cache and asks again: the speed is not that of the technique.
void flagPressure(OrderedJson& record, const protocol::RepeatMemory& memory)
{
    constexpr Bytes kNearDivisor = 20; // within 5 % of the limit
    const auto held = memory.peak.reserved ? memory.peak.reserved : memory.peak.allocated;
    // A trial that ran out has flushed in vain, which its outcome says.
    if (record["outcome"] == "out_of_memory")
        return;
    if (memory.allocRetries.value_or(0) > 0)
        addFlag(record, "pressured",
            std::to_string(*memory.allocRetries) + " allocations succeeded only after the cache was flushed");
    else if (held && memory.limit && *held > *memory.limit - *memory.limit / kNearDivisor)
        addFlag(record, "pressured", "the peak is within 5 % of the limit");
}

void flagUnsteadiness(OrderedJson& record, const std::vector<RepeatResult>& repeats)
{
    for (std::size_t index = 0; index < repeats.size(); ++index)
        for (const std::string& objection : repeats[index].objections)
            addFlag(record, "not_steady", "repeat " + std::to_string(index) + ": " + objection);
}

// What the trial alone tells; applyPlausibility adds what takes the whole sweep.
void addFlags(OrderedJson& record, const PlannedTrial& planned, const std::vector<RepeatResult>& repeats,
    const protocol::RepeatMemory& memory)
{
    record["flags"] = OrderedJson::array();
    record["flag_reasons"] = OrderedJson::array();
    flagPressure(record, memory);
    flagUnsteadiness(record, repeats);
    if (outcomeOver(repeats) == Outcome::Completed)
        for (const std::string& technique : idleTechniques(planned, firstFilled(repeats, &RepeatResult::engagement)))
            addFlag(record, "no_effect", "every counter of " + technique + " is zero");
}

std::string reasonFor(const PlannedTrial& planned, const std::vector<RepeatResult>& repeats, Outcome outcome)
{
    for (const RepeatResult& repeat : repeats)
        if (repeat.outcome == outcome)
            return repeat.reason;
    return planned.skipReason();
}

OrderedJson outOfMemoryRecord(const std::vector<RepeatResult>& repeats)
{
    const auto facts = firstKnown(repeats, &RepeatResult::outOfMemory);
    if (!facts)
        return nullptr;
    return {{"phase", facts->phase}, {"requested_bytes", protocol::orNull(facts->requestedBytes)},
        {"missing_bytes", protocol::orNull(facts->missingBytes)}};
}

std::string baselineId(config::Trial trial)
{
    trial.configuration = config::baselineOf(trial.configuration);
    return protocol::trialId(trial);
}

OrderedJson numericsRecord(const PlannedTrial& planned, const std::vector<RepeatResult>& repeats)
{
    const auto numerics = firstKnown(repeats, &RepeatResult::numerics);
    if (!numerics)
        return nullptr;
    return {{"baseline_trial_id", baselineId(planned.trial)},
        {"output_max_abs", protocol::orNull(numerics->outputMaxAbs)},
        {"output_mean_abs", protocol::orNull(numerics->outputMeanAbs)},
        {"output_rel_l2", protocol::orNull(numerics->outputRelL2)}, {"loss", protocol::orNull(numerics->loss)},
        {"loss_abs_diff", protocol::orNull(numerics->lossAbsDiff)}, {"grad_norm", protocol::orNull(numerics->gradNorm)},
        {"grad_norm_rel_diff", protocol::orNull(numerics->gradNormRelDiff)}};
}

OrderedJson identityRecord(const std::string& experiment, const PlannedTrial& planned)
{
    const config::DeviceSpec& device = planned.trial.device;
    OrderedJson record;
    record["schema"] = "headroom.trial/1";
    record["trial_id"] = planned.trialId;
    record["config_id"] = planned.configId;
    record["experiment"] = experiment;
    record["label"] = planned.label;
    record["device"] = device.name();
    record["runtime"] = recordText(device.runtime);
    record["predicted"] = device.isSimulated();
    return record;
}

// Running out of memory in the baseline that a comparison runs first says nothing about the trial itself.
bool failedInBaseline(const std::vector<RepeatResult>& repeats)
{
    const auto facts = firstKnown(repeats, &RepeatResult::outOfMemory);
    return facts && facts->phase == "baseline";
}

std::optional<bool> fitsOf(const PlannedTrial& planned, Outcome outcome, const std::vector<RepeatResult>& repeats,
    const protocol::RepeatMemory& memory, const FitsJudge& judge)
{
    if (outcome == Outcome::OutOfMemory)
        return failedInBaseline(repeats) ? std::nullopt : std::optional(false);
    return outcome == Outcome::Completed && judge ? judge(planned.trial, memory) : std::nullopt;
}

// Of the first repeat that has one: what the memory consists of is the same in each.
OrderedJson breakdownRecord(const std::vector<RepeatResult>& repeats)
{
    const auto found =
        std::ranges::find_if(repeats, [](const RepeatResult& repeat) { return repeat.breakdown.has_value(); });
    return found == repeats.end() ? OrderedJson(nullptr) : OrderedJson(protocol::toJson(found->breakdown));
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

OrderedJson trialRecord(const std::string& experiment, const PlannedTrial& planned,
    const std::vector<RepeatResult>& repeats, const FitsJudge& fits)
{
    const Outcome outcome = outcomeOver(repeats);
    protocol::RepeatMemory memory = largestMemory(repeats);
    if (!memory.limit)
        memory.limit = planned.trial.memoryLimitBytes;
    OrderedJson record = identityRecord(experiment, planned);
    record["model"] = modelRecord(planned.trial.configuration, repeats);
    record["workload"] = workloadRecord(planned.trial.configuration);
    addTechniques(record, planned, repeats);
    record["outcome"] = protocol::toText(outcome);
    addFlags(record, planned, repeats, memory);
    record["reason"] = recordText(reasonFor(planned, repeats, outcome));
    record["oom"] = outOfMemoryRecord(repeats);
    record["memory"] = memoryRecord(memory);
    record["memory"]["fits"] = protocol::orNull(fitsOf(planned, outcome, repeats, memory, fits));
    const TrialNeed need = trialNeed(outcome, memory, repeats);
    record["memory"]["needed_bytes"] = protocol::orNull(need.needed);
    record["memory"]["missing_bytes"] = protocol::orNull(need.missing);
    record["breakdown"] = breakdownRecord(repeats);
    record["speed"] = speedRecord(planned.trial, repeats);
    record["numerics"] = numericsRecord(planned, repeats);
    record["engagement"] = firstFilled(repeats, &RepeatResult::engagement);
    record["error_bound"] = nullptr;
    return record;
}

OrderedJson notRunRecord(const std::string& experiment, const PlannedTrial& planned)
{
    OrderedJson record = trialRecord(experiment, planned, {});
    record["outcome"] = "not_run";
    return record;
}

} // namespace headroom::experiments
