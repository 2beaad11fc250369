// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/TrialFacts.h"

#include "core/config/catalogue/Catalogue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

template <typename T> std::optional<T> known(const OrderedJson& value)
{
    return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

std::string surroundings(const OrderedJson& record)
{
    return OrderedJson{record.at("device"), record.at("runtime"), record.at("memory").at("limit_bytes"),
        record.at("model").at("name"), record.at("model").at("overrides"), record.at("workload")}
        .dump();
}

std::optional<Interval> intervalOf(const OrderedJson& speed)
{
    const OrderedJson& interval = speed.at("ci95");
    if (interval.is_null())
        return std::nullopt;
    return Interval{interval.at(0).get<double>(), interval.at(1).get<double>()};
}

void readMemory(TrialFacts& facts, const OrderedJson& record)
{
    const OrderedJson& memory = record.at("memory");
    facts.weightBytes = known<Bytes>(record.at("model").at("weight_bytes"));
    facts.peakBytes = known<Bytes>(memory.at("peak").at("allocated_bytes"));
    if (facts.peakBytes)
        *facts.peakBytes -= known<Bytes>(memory.at("harness_bytes")).value_or(0);
}

void readSpeed(TrialFacts& facts, const OrderedJson& record)
{
    const OrderedJson& speed = record.at("speed");
    facts.flopsPerStep = record.at("model").at("flops_per_step").get<double>();
    facts.stepSeconds = known<double>(speed.at("step_seconds_median"));
    facts.interval = intervalOf(speed);
    if (facts.isPredicted && facts.stepSeconds)
        facts.interval = Interval{*facts.stepSeconds, *facts.stepSeconds};
    facts.processes = speed.at("samples_seconds").is_null() ? 0 : static_cast<int>(speed.at("samples_seconds").size());
}

void readTechniques(TrialFacts& facts, const OrderedJson& record)
{
    record.at("techniques").get_to(facts.notations);
    for (const auto& [key, notation] : facts.notations)
        facts.settings[key] = notation + record.at("options").at(key).dump();
    record.at("engagement").get_to(facts.counters);
}

TrialFacts factsOf(const OrderedJson& record, std::size_t index)
{
    TrialFacts facts;
    facts.index = index;
    facts.trialId = record.at("trial_id").get<std::string>();
    facts.name = "\"" + record.at("label").get<std::string>() + "\" (" + facts.trialId.substr(0, 8) + ")";
    facts.surroundings = surroundings(record);
    facts.step = record.at("workload").at("step").get<std::string>();
    facts.device = record.at("device").get<std::string>();
    facts.isPredicted = record.at("predicted").get<bool>();
    const OrderedJson& flags = record.at("flags");
    facts.isPressured = std::find(flags.begin(), flags.end(), "pressured") != flags.end();
    readTechniques(facts, record);
    readMemory(facts, record);
    readSpeed(facts, record);
    if (!record.at("numerics").is_null())
        facts.outputRelL2 = known<double>(record.at("numerics").at("output_rel_l2"));
    return facts;
}

// What says which task is computed, not how.
bool isOfTask(const std::string& technique)
{
    return std::ranges::any_of(config::techniqueCatalogue(), [&](const config::TechniqueDescriptor& descriptor) {
        return descriptor.key == technique && descriptor.role == config::TechniqueRole::Task;
    });
}

} // namespace

std::optional<std::int64_t> TrialFacts::counter(const std::string& technique, const std::string& key) const
{
    const auto found = counters.find(technique);
    if (found == counters.end() || !found->second.contains(key))
        return std::nullopt;
    return found->second.at(key);
}

// A record may be of a version that knew other techniques.
bool TrialFacts::isOff(const std::string& technique) const
{
    const auto notation = notations.find(technique);
    if (notation == notations.end())
        return true;
    const auto& known = config::techniqueCatalogue();
    const auto descriptor = std::find_if(known.begin(), known.end(), [&](const auto& d) { return d.key == technique; });
    if (descriptor != known.end())
        return notation->second == descriptor->off;
    return notation->second == "off" || notation->second == "none";
}

bool TrialFacts::isBaseline() const
{
    return std::all_of(notations.begin(), notations.end(),
        [&](const auto& entry) { return isOfTask(entry.first) || isOff(entry.first); });
}

std::string TrialFacts::task() const
{
    std::string text = surroundings;
    for (const auto& [key, setting] : settings)
        if (isOfTask(key))
            text += "\n" + key + setting;
    return text;
}

std::string TrialFacts::apartFrom(const std::string& technique) const
{
    std::string text = surroundings;
    for (const auto& [key, setting] : settings)
        if (key != technique)
            text += "\n" + key + setting;
    return text;
}

std::vector<TrialFacts> completedTrials(const std::vector<OrderedJson>& records)
{
    std::vector<TrialFacts> trials;
    for (std::size_t index = 0; index < records.size(); ++index)
        if (!records[index].is_null() && records[index].at("outcome") == "completed")
            trials.push_back(factsOf(records[index], index));
    return trials;
}

} // namespace headroom::experiments
