// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::config {

/// The share of the shadow that an EMA update keeps, by the number of updates: diffusers' EMAModel, with its names.
struct EmaSchedule {
    double decay = 0.9999; ///< in [0, 1]; the largest share that is kept
    double minDecay = 0; ///< the smallest share once the decay has begun
    std::int64_t updateAfterStep = 0; ///< number of updates during which the shadow is just a copy
    bool useWarmup = false; ///< by inv_gamma and power instead of (1 + s) / (10 + s)
    double invGamma = 1;
    double power = 2.0 / 3;

    /// The share of the shadow that update number `update` keeps; the first update has number 1. With s = update -
    /// updateAfterStep - 1: 0 if s <= 0 (minDecay does not apply there), else 1 - (1 + s / invGamma)^-power with
    /// warm-up or (1 + s) / (10 + s) without, at most decay, at least minDecay.
    double decayAt(std::int64_t update) const;

    bool operator==(const EmaSchedule&) const = default;
};

} // namespace headroom::config
