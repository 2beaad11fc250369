// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/Plan.h"

#include <map>
#include <optional>
#include <string>

namespace headroom::ui {

/// What is known about how long trials take.
struct Durations {
    std::map<std::string, double> secondsPerRepeat; ///< of earlier repeats, by trial id
    std::optional<double> secondsPerSimulatedTrial; ///< none: not known yet
};

/// How long a plan's trials would run.
struct RunEstimate {
    double seconds = 0; ///< of the trials whose length is known
    std::size_t untimed = 0; ///< trials whose length is not known
};

RunEstimate estimateOf(const Plan& plan, const Durations& durations);

/// "about 40 s, not counting 4 trials that never ran"; empty where there are no trials.
std::string inWords(const RunEstimate& estimate);

} // namespace headroom::ui
