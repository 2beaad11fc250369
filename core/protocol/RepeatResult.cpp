// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/RepeatResult.h"

#include "core/base/Error.h"
#include "core/protocol/JsonMember.h"

#include <algorithm>

namespace headroom::protocol {
namespace {

Outcome outcomeFromJson(const Json& json)
{
    const auto text = json.get<std::string>();
    const auto outcome = findRepeatOutcome(text);
    if (!outcome)
        throw TrialError("unknown outcome \"" + text + "\"", "worker result", repeatOutcomes());
    return *outcome;
}

MemoryFigures figuresFromJson(const Json& json)
{
    return {optionalFromJson<Bytes>(json.at("allocated_bytes")), optionalFromJson<Bytes>(json.at("reserved_bytes")),
        optionalFromJson<Bytes>(json.at("requested_bytes")), optionalFromJson<Bytes>(json.at("device_bytes")),
        optionalFromJson<Bytes>(json.at("host_rss_bytes")), optionalFromJson<Bytes>(json.at("host_pinned_bytes")),
        optionalFromJson<Bytes>(memberOf(json, "host_pageable_bytes")),
        optionalFromJson<Bytes>(memberOf(json, "reserved_other_addresses_bytes"))};
}

Json addressesToJson(std::optional<config::SegmentAddresses> addresses)
{
    return addresses ? Json(config::toText(*addresses)) : Json();
}

std::optional<config::SegmentAddresses> addressesFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    return config::segmentAddressesFromText(json.get<std::string>(), "segment_addresses");
}

Json memoryToJson(const RepeatMemory& memory)
{
    Json phases = Json::object();
    for (const auto& [phase, figures] : memory.phasePeaks)
        phases[phase] = toJson(figures);
    Json harness = Json::array();
    for (const HarnessItem& item : memory.harness)
        harness.push_back({{"name", item.name}, {"bytes", item.bytes}});
    return {{"after_load", toJson(memory.afterLoad)}, {"first_step_peak", toJson(memory.firstStepPeak)},
        {"peak", toJson(memory.peak)}, {"whole_run_peak", toJson(memory.wholeRunPeak)},
        {"resting", toJson(memory.resting)}, {"resting_cleared", toJson(memory.restingCleared)},
        {"phase_peaks", phases}, {"harness", harness}, {"saved_for_backward_bytes", orNull(memory.savedForBackward)},
        {"alloc_retries", orNull(memory.allocRetries)}, {"limit_bytes", orNull(memory.limit)},
        {"segment_addresses", addressesToJson(memory.segmentAddresses)}, {"not_counted", toJson(memory.notCounted)}};
}

Json numericsToJson(const std::optional<Numerics>& numerics)
{
    if (!numerics)
        return nullptr;
    return {{"output_max_abs", orNull(numerics->outputMaxAbs)}, {"output_mean_abs", orNull(numerics->outputMeanAbs)},
        {"output_rel_l2", orNull(numerics->outputRelL2)}, {"loss", orNull(numerics->loss)},
        {"loss_abs_diff", orNull(numerics->lossAbsDiff)}, {"grad_norm", orNull(numerics->gradNorm)},
        {"grad_norm_rel_diff", orNull(numerics->gradNormRelDiff)}};
}

Json outOfMemoryToJson(const std::optional<OutOfMemoryFacts>& facts)
{
    if (!facts)
        return nullptr;
    return {{"phase", facts->phase}, {"requested_bytes", orNull(facts->requestedBytes)},
        {"missing_bytes", orNull(facts->missingBytes)}, {"free_bytes", orNull(facts->freeBytes)},
        {"allocated_bytes", orNull(facts->allocatedBytes)}, {"reserved_bytes", orNull(facts->reservedBytes)}};
}

Json needToJson(const std::optional<UnlimitedNeed>& need)
{
    if (!need)
        return nullptr;
    return {{"most", toJson(need->most)}, {"step_seconds", need->stepSeconds}};
}

std::optional<UnlimitedNeed> needFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    return UnlimitedNeed{figuresFromJson(json.at("most")), json.at("step_seconds").get<std::vector<double>>()};
}

} // namespace

std::optional<UnlimitedNeed> needOf(const RepeatResult& unlimited, const OutOfMemoryFacts& failure)
{
    if (unlimited.outcome != Outcome::Completed)
        return std::nullopt;
    const RepeatMemory& memory = unlimited.memory;
    if (failure.phase == "baseline")
        return UnlimitedNeed{memory.wholeRunPeak, unlimited.stepSeconds};
    return UnlimitedNeed{
        largerOf(largerOf(memory.peak, memory.firstStepPeak), memory.afterLoad), unlimited.stepSeconds};
}

Bytes RepeatMemory::notCountedHigh() const
{
    Bytes most = 0;
    for (const UncountedMemory& one : notCounted)
        most = std::max(most, one.high);
    return most;
}

Bytes totalBytes(const std::vector<HarnessItem>& items)
{
    Bytes bytes = 0;
    for (const HarnessItem& item : items)
        bytes += item.bytes;
    return bytes;
}

MemoryFigures largerOf(const MemoryFigures& left, const MemoryFigures& right)
{
    return {std::max(left.allocated, right.allocated), std::max(left.reserved, right.reserved),
        std::max(left.requested, right.requested), std::max(left.device, right.device),
        std::max(left.hostRss, right.hostRss), std::max(left.hostPinned, right.hostPinned),
        std::max(left.hostPageable, right.hostPageable),
        std::max(left.reservedOtherAddresses, right.reservedOtherAddresses)};
}

Json toJson(const MemoryFigures& figures)
{
    return {{"allocated_bytes", orNull(figures.allocated)}, {"reserved_bytes", orNull(figures.reserved)},
        {"requested_bytes", orNull(figures.requested)}, {"device_bytes", orNull(figures.device)},
        {"host_rss_bytes", orNull(figures.hostRss)}, {"host_pinned_bytes", orNull(figures.hostPinned)},
        {"host_pageable_bytes", orNull(figures.hostPageable)},
        {"reserved_other_addresses_bytes", orNull(figures.reservedOtherAddresses)}};
}

Json toJson(const std::vector<UncountedMemory>& notCounted)
{
    Json list = Json::array();
    for (const UncountedMemory& one : notCounted)
        list.push_back(
            {{"library", one.library}, {"function", one.function}, {"low_bytes", one.low}, {"high_bytes", one.high}});
    return list;
}

Json toJson(const RepeatResult& result)
{
    return {{"outcome", toText(result.outcome)}, {"reason", result.reason}, {"phase", result.phase},
        {"oom", outOfMemoryToJson(result.outOfMemory)}, {"need", needToJson(result.need)},
        {"parameters", orNull(result.parameters)}, {"weight_bytes", orNull(result.weightBytes)},
        {"memory", memoryToJson(result.memory)}, {"step_seconds", result.stepSeconds},
        {"warmup_seconds", result.warmupSeconds}, {"is_steady", orNull(result.isSteady)},
        {"objections", result.objections}, {"first_step_seconds", orNull(result.firstStepSeconds)},
        {"numerics", numericsToJson(result.numerics)}, {"breakdown", toJson(result.breakdown)},
        {"engagement", result.engagement}, {"effective", result.effective}, {"resolved", result.resolved},
        {"ops_without_rule", result.opsWithoutRule}, {"ops_without_meta", result.opsWithoutMeta},
        {"diagnostics", result.diagnostics}};
}

RepeatResult repeatResultFromJson(const Json& json)
{
    RepeatResult result;
    result.outcome = outcomeFromJson(json.at("outcome"));
    result.reason = json.at("reason").get<std::string>();
    result.phase = json.at("phase").get<std::string>();
    result.outOfMemory = outOfMemoryFromJson(json.at("oom"));
    result.need = needFromJson(memberOf(json, "need"));
    result.parameters = optionalFromJson<std::int64_t>(json.at("parameters"));
    result.weightBytes = optionalFromJson<Bytes>(json.at("weight_bytes"));
    result.memory = repeatMemoryFromJson(json.at("memory"));
    result.stepSeconds = json.at("step_seconds").get<std::vector<double>>();
    result.warmupSeconds = json.value("warmup_seconds", std::vector<double>{});
    result.isSteady = optionalFromJson<bool>(json.value("is_steady", Json()));
    result.objections = json.value("objections", std::vector<std::string>{});
    result.firstStepSeconds = optionalFromJson<double>(json.at("first_step_seconds"));
    result.numerics = numericsFromJson(json.at("numerics"));
    result.breakdown = breakdownFromJson(memberOf(json, "breakdown"));
    json.at("engagement").get_to(result.engagement);
    json.at("effective").get_to(result.effective);
    result.resolved = json.value("resolved", std::map<std::string, std::string>{});
    result.opsWithoutRule = json.value("ops_without_rule", std::vector<std::string>{});
    result.opsWithoutMeta = json.value("ops_without_meta", std::vector<std::string>{});
    json.at("diagnostics").get_to(result.diagnostics);
    return result;
}

RepeatMemory repeatMemoryFromJson(const Json& json)
{
    RepeatMemory memory;
    memory.afterLoad = figuresFromJson(json.at("after_load"));
    memory.firstStepPeak = figuresFromJson(json.at("first_step_peak"));
    memory.peak = figuresFromJson(json.at("peak"));
    memory.wholeRunPeak = figuresFromJson(json.at("whole_run_peak"));
    memory.resting = figuresFromJson(json.at("resting"));
    if (json.contains("resting_cleared")) // missing in results from before it was recorded
        memory.restingCleared = figuresFromJson(json.at("resting_cleared"));
    for (const auto& [phase, figures] : json.at("phase_peaks").items())
        memory.phasePeaks[phase] = figuresFromJson(figures);
    for (const Json& item : json.at("harness"))
        memory.harness.push_back({item.at("name").get<std::string>(), item.at("bytes").get<Bytes>()});
    memory.savedForBackward = optionalFromJson<Bytes>(json.at("saved_for_backward_bytes"));
    memory.allocRetries = optionalFromJson<std::int64_t>(json.at("alloc_retries"));
    memory.limit = optionalFromJson<Bytes>(json.at("limit_bytes"));
    memory.segmentAddresses = addressesFromJson(json.value("segment_addresses", Json()));
    for (const Json& one : memberOf(json, "not_counted")) // missing in results from before rehearsals
        memory.notCounted.push_back({one.at("library").get<std::string>(), one.at("function").get<std::string>(),
            one.at("low_bytes").get<Bytes>(), one.at("high_bytes").get<Bytes>()});
    return memory;
}

std::optional<Numerics> numericsFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    const auto number = [&](const char* key) { return optionalFromJson<double>(json.at(key)); };
    return Numerics{number("output_max_abs"), number("output_mean_abs"), number("output_rel_l2"), number("loss"),
        number("loss_abs_diff"), number("grad_norm"), number("grad_norm_rel_diff")};
}

std::optional<OutOfMemoryFacts> outOfMemoryFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    return OutOfMemoryFacts{json.at("phase").get<std::string>(), optionalFromJson<Bytes>(json.at("requested_bytes")),
        optionalFromJson<Bytes>(json.at("missing_bytes")),
        optionalFromJson<Bytes>(json.value("free_bytes", Json())), // missing in results from before they were recorded
        optionalFromJson<Bytes>(json.value("allocated_bytes", Json())),
        optionalFromJson<Bytes>(json.value("reserved_bytes", Json()))};
}

} // namespace headroom::protocol
