// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSpace.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// Changes that together make a trial fit, as predicted.
struct FittingChange {
    std::vector<SettingChange> changes;
    config::Trial trial; ///< with the changes
    Bytes peakBytes = 0; ///< held of the device, without the driver's part
    std::optional<double> stepsPerSecond;
    Bytes hostPinnedBytes = 0; ///< what techniques keep in host memory on purpose
    Bytes hostPageableBytes = 0;
    int effort = 0; ///< of the techniques' settings together (config::Candidate)

    Bytes hostBytes() const { return hostPinnedBytes + hostPageableBytes; }
};

/// Speeds that differ by less count as the same: predictions are not better than that.
inline constexpr double kSameSpeed = 0.005;

/// Those that are worth listing, in order: fewest changes, then least effort, then fastest. Of two that differ in speed
/// by less than `kSameSpeed` the simpler stands, unless it needs more host memory; that the other one leaves more of a
/// device free, on which both fit, does not count. Of the others none is beaten in number of changes, device memory,
/// speed and host memory at once.
std::vector<FittingChange> ranked(std::vector<FittingChange> found);

} // namespace headroom::experiments
