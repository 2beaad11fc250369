// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Statistics.h"
#include "experiments/results/TrialResult.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A completed trial of a sweep, with the values by which the plausibility rules compare it.
struct JudgedTrial {
    const TrialResult* result = nullptr;
    std::size_t index = 0; ///< in the sweep
    std::string name; ///< label and short id, for messages
    std::string surroundings; ///< device, runtime, limit, model and workload: equal for trials that can be compared
    Shared<std::map<std::string, std::string>> settings; ///< notation with options, by technique
    std::optional<Bytes> peakBytes; ///< allocated, without harness
    std::optional<Interval> interval; ///< of the median step time; for a prediction, the value itself

    int processes() const { return static_cast<int>(result->speed.samplesSeconds.size()); } ///< behind the speed
    /// What is computed and where: equal for a trial and its baseline.
    std::string task() const;
    /// Everything but this technique: equal for trials that differ in nothing else.
    std::string apartFrom(const std::string& technique) const;
};

/// Predictions have no noise: measuring again says nothing new of them.
enum class Judged { All, Measured };

/// The completed trials; `results` must outlive them.
std::vector<JudgedTrial> completedTrials(const SweepResults& results, Judged which = Judged::All);

} // namespace headroom::experiments
