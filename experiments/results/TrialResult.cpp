// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialResult.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/Shortage.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

const config::TechniqueDescriptor* descriptorOf(const std::string& technique)
{
    const auto& known = config::techniqueCatalogue();
    const auto found = std::ranges::find(known, technique, &config::TechniqueDescriptor::key);
    return found == known.end() ? nullptr : &*found;
}

} // namespace

std::optional<Bytes> TrialMemory::harnessBytes() const
{
    if (peak == protocol::MemoryFigures{} && wholeRunPeak == protocol::MemoryFigures{})
        return std::nullopt;
    return protocol::totalBytes(harness);
}

std::optional<Bytes> TrialMemory::ownPeak() const
{
    return peak.allocated ? std::optional(*peak.allocated - harnessBytes().value_or(0)) : std::nullopt;
}

std::string TrialResult::workloadText(const std::string& name) const
{
    const auto found = std::ranges::find(*workload, name, &NamedValues::value_type::first);
    return found != workload.end() && found->second.isText() ? found->second.text() : std::string();
}

bool TrialResult::hasFlag(const std::string& name) const
{
    return std::ranges::find(flags, name, &TrialFlag::name) != flags.end();
}

void TrialResult::addFlag(const std::string& name, const std::string& why)
{
    const TrialFlag flag{name, why};
    if (std::ranges::find(flags, flag) == flags.end())
        flags.push_back(flag);
}

std::vector<std::string> TrialResult::flagNames() const
{
    std::vector<std::string> names;
    for (const TrialFlag& flag : flags)
        if (std::ranges::find(names, flag.name) == names.end())
            names.push_back(flag.name);
    return names;
}

std::vector<std::string> TrialResult::flagReasons() const
{
    std::vector<std::string> reasons;
    for (const TrialFlag& flag : flags)
        reasons.push_back(flag.name + ": " + flag.reason);
    return reasons;
}

const TechniqueResult* TrialResult::technique(const std::string& key) const
{
    const auto found = std::ranges::find(*techniques, key, &TechniqueResult::key);
    return found == techniques.end() ? nullptr : &*found;
}

// The record may come from a version that had other techniques.
bool TrialResult::isOff(const std::string& key) const
{
    const TechniqueResult* set = technique(key);
    if (set == nullptr)
        return true;
    if (const config::TechniqueDescriptor* descriptor = descriptorOf(key))
        return set->notation == descriptor->off;
    return set->notation == "off" || set->notation == "none";
}

bool TrialResult::isBaseline() const
{
    return std::ranges::all_of(
        *techniques, [&](const TechniqueResult& set) { return isTask(set.key) || isOff(set.key); });
}

std::optional<std::int64_t> TrialResult::counter(const std::string& key, const std::string& name) const
{
    const auto counters = engagement->find(key);
    if (counters == engagement.end() || !counters->second.contains(name))
        return std::nullopt;
    return counters->second.at(name);
}

std::string TrialResult::cause() const
{
    if (hasCompleted())
        return {};
    if (outcome == Outcome::NotRun)
        return "planned, but not reached";
    const std::string shortage = shortageText(*this);
    return shortage.empty() ? reason : shortage;
}

std::string TrialResult::ending() const
{
    const std::string words = inWords(toText(outcome));
    const std::string why = cause();
    return why.empty() ? words : words + ": " + why;
}

bool isTask(const std::string& technique)
{
    const config::TechniqueDescriptor* descriptor = descriptorOf(technique);
    return descriptor != nullptr && descriptor->role == config::TechniqueRole::Task;
}

} // namespace headroom::experiments
