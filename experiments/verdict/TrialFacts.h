// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Statistics.h"
#include "experiments/results/OrderedJson.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What the rules of plausibility look at in a trial record.
struct TrialFacts {
    std::size_t index = 0; ///< in the list of records
    std::string name; ///< label and short id, for messages
    std::string trialId;
    std::string surroundings; ///< device, runtime, limit, model and workload: equal where trials can be compared
    std::string step; ///< kind of step
    std::string device;
    bool isPredicted = false;
    bool isPressured = false;
    std::map<std::string, std::string> notations; ///< by technique
    std::map<std::string, std::string> settings; ///< notation with options, by technique
    std::map<std::string, std::map<std::string, std::int64_t>> counters;
    std::optional<Bytes> peakBytes; ///< allocated, without harness
    std::optional<Bytes> weightBytes;
    std::optional<double> stepSeconds; ///< median
    std::optional<Interval> interval; ///< of it; of a prediction the value itself
    int processes = 0; ///< that the speed is from
    double flopsPerStep = 0;
    std::optional<double> outputRelL2; ///< from the baseline

    /// The counter, or nothing where the technique does not say.
    std::optional<std::int64_t> counter(const std::string& technique, const std::string& key) const;
    bool isOff(const std::string& technique) const;
    /// No lever is on; techniques that say what is computed may be set.
    bool isBaseline() const;
    /// What is computed and where: equal for a trial and its baseline.
    std::string task() const;
    /// Everything but this technique: equal where trials differ in nothing else.
    std::string apartFrom(const std::string& technique) const;
};

/// Of the completed trials; records that are null are passed over.
std::vector<TrialFacts> completedTrials(const std::vector<OrderedJson>& records);

} // namespace headroom::experiments
