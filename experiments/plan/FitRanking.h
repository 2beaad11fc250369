// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSpace.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// A set of changes with which a trial is predicted to fit.
struct FittingChange {
    std::vector<SettingChange> changes;
    config::Trial trial; ///< with the changes
    Bytes peakBytes = 0; ///< device memory held, without the driver's context
    std::optional<double> stepsPerSecond;
    Bytes hostPinnedBytes = 0; ///< what techniques deliberately keep in host memory
    Bytes hostPageableBytes = 0;
    int effort = 0; ///< sum over the techniques' settings (config::Candidate)

    Bytes hostBytes() const { return hostPinnedBytes + hostPageableBytes; }
};

/// Relative speed differences below this count as equal: predictions are not more accurate than that.
inline constexpr double kSameSpeed = 0.005;

/// The changes worth listing, ordered by number of changes, then effort, then speed (fastest first). Of two whose
/// speeds differ by less than `kSameSpeed`, only the simpler one is kept, unless it needs more host memory; device
/// memory does not count here, as both fit. None of the rest is dominated by another in number of changes, device
/// memory, speed and host memory together.
std::vector<FittingChange> ranked(std::vector<FittingChange> found);

} // namespace headroom::experiments
