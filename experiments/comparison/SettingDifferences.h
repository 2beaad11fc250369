// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// Something that was set, or found, differently. A side without it is "".
struct SettingDifference {
    std::string key; ///< "device", "allocator", "workload.batch", "techniques.casting"
    std::string a;
    std::string b;
};

/// How two trials were set differently: device, allocator, model and its fields, workload, techniques and their
/// options.
std::vector<SettingDifference> settingDifferences(const TrialResult& a, const TrialResult& b);

/// Where two runs were done differently, by the keys of an environment record; empty where one is not known.
std::vector<SettingDifference> environmentDifferences(const OrderedJson& a, const OrderedJson& b);

} // namespace headroom::experiments
