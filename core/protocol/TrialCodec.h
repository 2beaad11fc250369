// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/Json.h"

namespace headroom::protocol {

Json toJson(const config::Configuration& configuration);
Json toJson(const config::Trial& trial);

/// The configuration, validated against the catalogues (throws UsageError); what is left out gets its default.
config::Configuration configurationFromJson(const Json& json);
config::Trial trialFromJson(const Json& json);

/// Hash of the canonical JSON of model, workload and techniques: 16 hexadecimal digits.
std::string configId(const config::Configuration& configuration);

/// Hash of the configuration plus device, runtime, memory limit and protocol (without the number of repeats, so that
/// more repeats of the same trial add up).
std::string trialId(const config::Trial& trial);

/// Both of a trial, at little more than the price of one.
struct TrialIds {
    std::string trial;
    std::string configuration;
};
TrialIds idsOf(const config::Trial& trial);

} // namespace headroom::protocol
