// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/DeviceSpec.h"
#include "core/protocol/WorkerMessages.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <string>

namespace headroom::cli {

/// A card of this machine, as the worker describes it.
struct MeasuredCard {
    std::string title; ///< "NVIDIA H200"
    Bytes totalBytes = 0; ///< as the driver offers them
    std::string computeCapability; ///< "9.0"

    /// The card that `device` names. Throws TrialError where CUDA cannot be used, with the reason, and UsageError where
    /// the machine has cards but not this one.
    static MeasuredCard find(const protocol::WorkerDescription& machine, const config::DeviceSpec& device);
};

/// In what the card and a simulated one differ so much that predictions for the one are none for the other: compute
/// capability, memory (more than 5 %). Empty where they are alike or the profile does not say.
std::string differencesBetween(const MeasuredCard& card, const simulator::DeviceProfile& profile);

} // namespace headroom::cli
