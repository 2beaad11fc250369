// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/TechniqueDescriptor.h"
#include "core/config/techniques/EmaSchedule.h"

namespace headroom::config {

/// Where the shadow lives and where it is brought up to date.
enum class EmaPlacement {
    Off,
    Device,
    Host, ///< in host memory; as a whole to the device for each update, and back
    HostAsync, ///< in pinned host memory; slice by slice through the device on side streams
    HostCpu ///< in host memory; the parameters come to it
};

/// How an update is computed.
enum class EmaMode {
    Loop, ///< one parameter after the other, with a temporary of that one
    Foreach, ///< all at once, with a temporary of all
    ForeachNoTemporary ///< all at once, in place
};

/// Whose shadow is kept.
enum class EmaParameters { All, Trainable };

/// Everything that is set about EMA, checked.
struct EmaSettings {
    EmaPlacement placement = EmaPlacement::Off;
    std::vector<EmaSchedule> schedules; ///< one for each state that is kept
    EmaMode mode = EmaMode::Loop;
    EmaParameters parameters = EmaParameters::All;
    bool pinned = false; ///< the host's memory
    bool blocking = true; ///< the host waits for each copy
    std::int64_t interval = 1; ///< optimizer updates per EMA update
    Bytes sliceBytes = 0; ///< of one of the two slices on the device; HostAsync only
};

/// Parses `off`, `device`, `host`, `host:async`, `host:cpu`; throws UsageError at `where`.
EmaPlacement parseEmaPlacement(const std::string& notation, const std::string& where);
std::string toText(EmaPlacement placement);
std::string toText(EmaMode mode);

/// The notation with its options; those that are null or left out are at their defaults. Throws UsageError for what has
/// no meaning together.
EmaSettings emaSettings(const TechniqueSetting& setting);

/// A second set of weights that follows the trained ones slowly.
TechniqueDescriptor emaDescriptor();

} // namespace headroom::config
