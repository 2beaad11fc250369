// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/TechniqueDescriptor.h"

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

/// Where the shadow is kept and where it is updated.
enum class EmaPlacement {
    Off,
    Device,
    Host, ///< in host memory; copied to the device as a whole for each update, and back
    HostAsync, ///< in pinned host memory; passes through the device in slices on side streams
    HostCpu ///< in host memory; the parameters are copied to it
};

/// How an update is computed.
enum class EmaMode {
    Loop, ///< one parameter after the other, with a temporary of that one
    Foreach, ///< all at once, with a temporary of all
    ForeachNoTemporary ///< all at once, in place
};

/// Which parameters have a shadow.
enum class EmaParameters { All, Trainable };

/// All settings of EMA, checked.
struct EmaSettings {
    EmaPlacement placement = EmaPlacement::Off;
    std::vector<EmaSchedule> schedules; ///< one for each shadow that is kept
    EmaMode mode = EmaMode::Loop;
    EmaParameters parameters = EmaParameters::All;
    bool pinned = false; ///< whether host memory is pinned
    bool blocking = true; ///< whether the host waits for each copy
    std::int64_t interval = 1; ///< optimizer updates per EMA update
    Bytes sliceBytes = 0; ///< size of each of the two slices on the device; HostAsync only
};

/// Parses `off`, `device`, `host`, `host:async`, `host:cpu`; throws UsageError at `where`.
EmaPlacement parseEmaPlacement(const std::string& notation, const std::string& where);
std::string toText(EmaPlacement placement);
std::string toText(EmaMode mode);

/// Parses notation and options; options that are null or left out take their defaults. Throws UsageError for
/// combinations that make no sense.
EmaSettings emaSettings(const TechniqueSetting& setting);

/// A second set of weights that follows the trained ones slowly.
TechniqueDescriptor emaDescriptor();

} // namespace headroom::config
