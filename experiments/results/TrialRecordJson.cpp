// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialRecordJson.h"

#include "core/base/Error.h"
#include "core/protocol/ImportedFactsCodec.h"
#include "core/protocol/MemoryBreakdown.h"

namespace headroom::experiments {
namespace {

using protocol::HarnessItem;
using protocol::Json;
using protocol::MemoryFigures;
using protocol::orNull;

constexpr const char* kTrialSchema = "headroom.trial/1";

OrderedJson textOrNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

std::string textFromJson(const OrderedJson& json)
{
    return json.is_null() ? std::string() : json.get<std::string>();
}

template <typename T> std::optional<T> knownFromJson(const OrderedJson& json)
{
    return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

OrderedJson toJson(const NamedValues& values)
{
    OrderedJson json = OrderedJson::object();
    for (const auto& [name, value] : values)
        json[name] = OrderedJson(protocol::toJson(value));
    return json;
}

NamedValues namedValuesFromJson(const OrderedJson& json)
{
    NamedValues values;
    for (const auto& [name, value] : json.items())
        values.emplace_back(name, protocol::valueFromJson(Json(value)));
    return values;
}

OrderedJson toJson(const MeasuredModel& model)
{
    OrderedJson json;
    json["name"] = model.name;
    json["overrides"] = toJson(model.overrides);
    json["parameters"] = model.parameters;
    json["weight_bytes"] = orNull(model.weightBytes);
    json["flops_per_step"] = model.flopsPerStep;
    json["imported"] = model.imported ? OrderedJson(protocol::toJson(*model.imported)) : OrderedJson(nullptr);
    return json;
}

MeasuredModel modelFromJson(const OrderedJson& json)
{
    return {json.at("name").get<std::string>(), namedValuesFromJson(json.at("overrides")),
        json.at("parameters").get<std::int64_t>(), knownFromJson<Bytes>(json.at("weight_bytes")),
        json.at("flops_per_step").get<double>(),
        protocol::importedFactsFromJson(Json(json.value("imported", OrderedJson())))};
}

void addTechniques(OrderedJson& record, const std::vector<TechniqueResult>& techniques)
{
    for (const char* key : {"techniques", "options", "effective"})
        record[key] = OrderedJson::object();
    for (const TechniqueResult& technique : techniques) {
        record["techniques"][technique.key] = technique.notation;
        record["options"][technique.key] = toJson(technique.options);
        record["effective"][technique.key] = orNull(technique.effective);
    }
}

std::vector<TechniqueResult> techniquesFromJson(const OrderedJson& record)
{
    std::vector<TechniqueResult> techniques;
    for (const auto& [key, notation] : record.at("techniques").items())
        techniques.push_back({key, notation.get<std::string>(), namedValuesFromJson(record.at("options").at(key)),
            knownFromJson<std::string>(record.at("effective").at(key))});
    return techniques;
}

std::vector<TrialFlag> flagsFromJson(const OrderedJson& reasons)
{
    std::vector<TrialFlag> flags;
    for (const OrderedJson& entry : reasons) {
        const auto text = entry.get<std::string>();
        const auto colon = text.find(": ");
        if (colon == std::string::npos)
            throw TrialError("found \"" + text + "\"", "flag_reasons", "a flag, a colon and its reason");
        flags.push_back({text.substr(0, colon), text.substr(colon + 2)});
    }
    return flags;
}

OrderedJson figuresJson(const MemoryFigures& figures)
{
    return {{"allocated_bytes", orNull(figures.allocated)}, {"reserved_bytes", orNull(figures.reserved)},
        {"requested_bytes", orNull(figures.requested)}, {"device_bytes", orNull(figures.device)},
        {"host_rss_bytes", orNull(figures.hostRss)}, {"host_pinned_bytes", orNull(figures.hostPinned)},
        {"host_pageable_bytes", orNull(figures.hostPageable)},
        {"reserved_other_addresses_bytes", orNull(figures.reservedOtherAddresses)}};
}

OrderedJson phasesJson(const std::map<std::string, MemoryFigures>& phases)
{
    OrderedJson json = OrderedJson::object();
    for (const auto& [phase, figures] : phases)
        json[phase] = figuresJson(figures);
    return json;
}

OrderedJson harnessJson(const std::vector<HarnessItem>& items)
{
    OrderedJson json = OrderedJson::array();
    for (const HarnessItem& item : items)
        json.push_back(OrderedJson{{"name", item.name}, {"bytes", item.bytes}});
    return json;
}

OrderedJson toJson(const TrialMemory& memory, config::Provenance provenance)
{
    OrderedJson json;
    json["source"] = provenance == config::Provenance::Predicted ? "simulated" : config::toText(provenance);
    json["after_load"] = figuresJson(memory.afterLoad);
    json["first_step_peak"] = figuresJson(memory.firstStepPeak);
    json["peak"] = figuresJson(memory.peak);
    json["whole_run_peak"] = figuresJson(memory.wholeRunPeak);
    json["resting"] = figuresJson(memory.resting);
    json["resting_cleared"] = figuresJson(memory.restingCleared);
    json["phase_peaks"] = phasesJson(memory.phasePeaks);
    json["harness_bytes"] = orNull(memory.harnessBytes());
    json["harness"] = harnessJson(memory.harness);
    json["saved_for_backward_bytes"] = orNull(memory.savedForBackward);
    json["alloc_retries"] = orNull(memory.allocRetries);
    json["limit_bytes"] = orNull(memory.limit);
    json["segment_addresses"] =
        memory.segmentAddresses ? OrderedJson(config::toText(*memory.segmentAddresses)) : OrderedJson(nullptr);
    json["fits"] = orNull(memory.fits);
    json["needed_bytes"] = orNull(memory.need.needed);
    json["missing_bytes"] = orNull(memory.need.missing);
    json["not_counted"] = OrderedJson(protocol::toJson(memory.notCounted));
    return json;
}

TrialMemory memoryFromJson(const OrderedJson& json)
{
    return {protocol::repeatMemoryFromJson(Json(json)), knownFromJson<bool>(json.at("fits")),
        {knownFromJson<Bytes>(json.at("needed_bytes")), knownFromJson<Bytes>(json.at("missing_bytes"))}};
}

OrderedJson samplesJson(const StepSamples& samples)
{
    return samples.empty() ? OrderedJson(nullptr) : OrderedJson(samples);
}

StepSamples samplesFromJson(const OrderedJson& json)
{
    return json.is_null() ? StepSamples() : json.get<StepSamples>();
}

OrderedJson intervalJson(const std::optional<Interval>& interval)
{
    return interval ? OrderedJson{interval->low, interval->high} : OrderedJson(nullptr);
}

OrderedJson toJson(const TrialSpeed& speed, config::Provenance provenance)
{
    OrderedJson json;
    json["source"] = provenance == config::Provenance::Measured ? "measured" : "modelled";
    json["steps_per_second"] = orNull(speed.stepsPerSecond);
    json["samples_per_second"] = orNull(speed.samplesPerSecond);
    json["tokens_per_second"] = orNull(speed.tokensPerSecond);
    json["step_seconds_median"] = orNull(speed.stepSeconds);
    json["step_seconds_mad"] = orNull(speed.stepSecondsMad);
    json["ci95"] = intervalJson(speed.stepSeconds95);
    json["samples_seconds"] = samplesJson(speed.samplesSeconds);
    json["first_step_seconds"] = orNull(speed.firstStepSeconds);
    json["warmup_seconds"] = samplesJson(speed.warmupSeconds);
    json["steady"] = orNull(speed.isSteady);
    return json;
}

TrialSpeed speedFromJson(const OrderedJson& json)
{
    const auto number = [&](const char* key) { return knownFromJson<double>(json.at(key)); };
    TrialSpeed speed;
    speed.stepsPerSecond = number("steps_per_second");
    speed.samplesPerSecond = number("samples_per_second");
    speed.tokensPerSecond = number("tokens_per_second");
    speed.stepSeconds = number("step_seconds_median");
    speed.stepSecondsMad = number("step_seconds_mad");
    if (const OrderedJson& interval = json.at("ci95"); !interval.is_null())
        speed.stepSeconds95 = Interval{interval.at(0).get<double>(), interval.at(1).get<double>()};
    speed.samplesSeconds = samplesFromJson(json.at("samples_seconds"));
    speed.firstStepSeconds = number("first_step_seconds");
    speed.warmupSeconds = samplesFromJson(json.at("warmup_seconds"));
    speed.isSteady = knownFromJson<bool>(json.at("steady"));
    return speed;
}

OrderedJson toJson(const std::optional<protocol::OutOfMemoryFacts>& facts)
{
    if (!facts)
        return nullptr;
    return {{"phase", facts->phase}, {"requested_bytes", orNull(facts->requestedBytes)},
        {"missing_bytes", orNull(facts->missingBytes)}, {"free_bytes", orNull(facts->freeBytes)},
        {"allocated_bytes", orNull(facts->allocatedBytes)}, {"reserved_bytes", orNull(facts->reservedBytes)}};
}

OrderedJson toJson(const std::optional<TrialNumerics>& numerics)
{
    if (!numerics)
        return nullptr;
    return {{"baseline_trial_id", numerics->baselineTrialId}, {"output_max_abs", orNull(numerics->outputMaxAbs)},
        {"output_mean_abs", orNull(numerics->outputMeanAbs)}, {"output_rel_l2", orNull(numerics->outputRelL2)},
        {"loss", orNull(numerics->loss)}, {"loss_abs_diff", orNull(numerics->lossAbsDiff)},
        {"grad_norm", orNull(numerics->gradNorm)}, {"grad_norm_rel_diff", orNull(numerics->gradNormRelDiff)}};
}

std::optional<TrialNumerics> trialNumericsFromJson(const OrderedJson& json)
{
    const auto numerics = protocol::numericsFromJson(Json(json));
    if (!numerics)
        return std::nullopt;
    return TrialNumerics{*numerics, json.at("baseline_trial_id").get<std::string>()};
}

OrderedJson toJson(const std::optional<ErrorBound>& bound)
{
    if (!bound)
        return nullptr;
    return {{"allocated_rel", orNull(bound->allocated)}, {"reserved_rel", orNull(bound->reserved)},
        {"step_rel", orNull(bound->stepTime)}, {"basis", bound->basis}};
}

std::optional<ErrorBound> errorBoundFromJson(const OrderedJson& json)
{
    if (json.is_null())
        return std::nullopt;
    return ErrorBound{knownFromJson<double>(json.at("allocated_rel")), knownFromJson<double>(json.at("reserved_rel")),
        knownFromJson<double>(json.at("step_rel")), json.at("basis").get<std::string>()};
}

} // namespace

OrderedJson toJson(const TrialResult& result)
{
    OrderedJson record;
    record["schema"] = kTrialSchema;
    record["trial_id"] = result.trialId;
    record["config_id"] = result.configId;
    record["experiment"] = result.experiment;
    record["label"] = result.label;
    record["device"] = result.device;
    record["device.allocator"] = textOrNull(result.allocator);
    record["runtime"] = textOrNull(result.runtime);
    record["predicted"] = result.isPredicted;
    record["model"] = toJson(result.model);
    record["workload"] = toJson(result.workload);
    addTechniques(record, result.techniques);
    record["conflicts"] = result.conflicts;
    record["outcome"] = toText(result.outcome);
    record["flags"] = result.flagNames();
    record["flag_reasons"] = result.flagReasons();
    record["reason"] = textOrNull(result.reason);
    record["oom"] = toJson(result.outOfMemory);
    record["memory"] = toJson(result.memory, result.provenance());
    record["breakdown"] = OrderedJson(protocol::toJson(result.breakdown));
    record["speed"] = toJson(result.speed, result.provenance());
    record["numerics"] = toJson(result.numerics);
    record["engagement"] = *result.engagement;
    record["error_bound"] = toJson(result.errorBound);
    return record;
}

TrialResult trialResultFromJson(const OrderedJson& json)
{
    if (json.at("schema") != kTrialSchema)
        throw TrialError("found " + json.at("schema").dump(), "schema", kTrialSchema);
    TrialResult result;
    result.trialId = json.at("trial_id").get<std::string>();
    result.configId = json.at("config_id").get<std::string>();
    result.experiment = json.at("experiment").get<std::string>();
    result.label = json.at("label").get<std::string>();
    result.device = json.at("device").get<std::string>();
    result.allocator = textFromJson(json.value("device.allocator", OrderedJson())); // missing in earlier records
    result.runtime = textFromJson(json.at("runtime"));
    result.isPredicted = json.at("predicted").get<bool>();
    result.model = modelFromJson(json.at("model"));
    result.workload = namedValuesFromJson(json.at("workload"));
    result.techniques = techniquesFromJson(json);
    json.at("conflicts").get_to(result.conflicts);
    const auto outcome = findOutcome(json.at("outcome").get<std::string>());
    if (!outcome)
        throw TrialError("found " + json.at("outcome").dump(), "outcome", std::string(repeatOutcomes()) + ", not_run");
    result.outcome = *outcome;
    result.flags = flagsFromJson(json.at("flag_reasons"));
    result.reason = textFromJson(json.at("reason"));
    result.outOfMemory = protocol::outOfMemoryFromJson(Json(json.at("oom")));
    result.memory = memoryFromJson(json.at("memory"));
    result.breakdown = protocol::breakdownFromJson(Json(json.at("breakdown")));
    result.speed = speedFromJson(json.at("speed"));
    result.numerics = trialNumericsFromJson(json.at("numerics"));
    result.engagement = json.at("engagement").get<Engagement>();
    result.errorBound = errorBoundFromJson(json.at("error_bound"));
    return result;
}

} // namespace headroom::experiments
