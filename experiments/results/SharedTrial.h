// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/results/SharedPool.h"

#include <map>
#include <optional>
#include <string>

namespace headroom::experiments {

/// A configuration whose settings share their room with those of other trials that have the same.
struct SharedConfiguration {
    using Techniques = std::map<std::string, Shared<config::TechniqueSetting>>;

    std::string model;
    Shared<config::ValueMap> modelFields;
    Shared<config::Workload> workload;
    Shared<Techniques> techniques;

    const config::TechniqueSetting& technique(const std::string& key) const { return techniques->at(key); }

    SharedConfiguration() = default;
    SharedConfiguration(const config::Configuration& configuration);
};

/// A config::Trial as a report holds it, beside thousands of others.
struct SharedTrial {
    SharedConfiguration configuration;
    config::DeviceSpec device;
    std::optional<Bytes> memoryLimitBytes{};
    std::optional<config::SegmentAddresses> segmentAddresses{};
    std::string allocator{};
    config::MeasurementProtocol protocol;

    SharedTrial() = default;
    SharedTrial(const config::Trial& trial);
    config::Trial whole() const;
};

/// Lets the trials of a sweep share what they have alike.
class TrialPool {
public:
    SharedTrial shared(const config::Trial& trial);

private:
    SharedPool<config::ValueMap> m_fields;
    SharedPool<config::Workload> m_workloads;
    SharedPool<config::TechniqueSetting> m_settings;
    SharedPool<SharedConfiguration::Techniques> m_techniques;
};

} // namespace headroom::experiments
