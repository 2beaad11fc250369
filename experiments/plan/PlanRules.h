// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// Whether somebody's trainer has a technique just as a trial sets it. Null: every technique.
using Offers = std::function<bool(const config::Trial& trial, const std::string& technique)>;

/// Which settings a plan may change, beside what decides the task, which stays.
struct PlanRules {
    /// Techniques, or `batch`, that stay as the trial has them.
    std::set<std::string> kept = {};
    /// Techniques with the notations that are not considered; none: all but off. Or options (`casting.prefetch`) with
    /// the values that are not; none: all but the default.
    std::map<std::string, std::vector<std::string>> forbidden = {};
    /// Settings that are considered though they change what is trained: notations of a technique (`optimizer`), values
    /// of an option (`optimizer.state_dtype`).
    std::map<std::string, std::vector<std::string>> allowed = {};
    /// Other settings are not tried; those that the trial has stay.
    Offers offers = {};
};

/// Reads words such as `checkpointing`, `checkpointing=ops,all` or `casting=off,offload`: after a comma the name of a
/// technique begins anew. Throws UsageError at `flag`.
std::map<std::string, std::vector<std::string>> rulesFrom(
    const std::vector<std::string>& words, const std::string& flag);

/// Throws UsageError for rules that name what does not exist, or that contradict each other or the trial.
void requireSound(const PlanRules& rules, const config::Trial& trial);

bool isForbidden(const PlanRules& rules, const config::TechniqueDescriptor& technique, const std::string& notation);
/// Its options count, too.
bool isForbidden(
    const PlanRules& rules, const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting);

/// The value that counts: an option that is not set has its default.
config::Value optionOf(
    const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting, const std::string& name);

/// "optimizer.state_dtype" as technique and option; the option is empty for a technique.
std::pair<std::string, std::string> splitRulePath(const std::string& path);

} // namespace headroom::experiments
