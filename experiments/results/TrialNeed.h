// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// What a device must have for the whole of a trial, and how much of that is beyond what is usable. Less the other one
/// is the usable memory, where something is missing.
struct TrialNeed {
    std::optional<Bytes> needed = {}; ///< context, reserved and what is outside of the allocator
    std::optional<Bytes> missing = {}; ///< 0 where it fits

    bool operator==(const TrialNeed&) const = default;
};

/// Of a trial that ended with `outcome`: `memory` is the largest of its repeats, with the limit. A processor has a need
/// only under a limit, which is the device then. What ran out of memory without a simulation beyond the limit has none:
/// at which request it ended says only what it needs at least.
TrialNeed trialNeed(
    Outcome outcome, const protocol::RepeatMemory& memory, const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
