// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// How much memory a device must have for a whole trial, and how much of that exceeds the usable memory. If something
/// is missing, `needed - missing` is the usable memory.
struct TrialNeed {
    std::optional<Bytes> needed = {}; ///< context, reserved and memory outside the allocator
    std::optional<Bytes> missing = {}; ///< 0 if it fits

    bool operator==(const TrialNeed&) const = default;
};

/// The need of a trial that ended with `outcome`; `memory` holds the largest figures of its repeats, and the limit. A
/// CPU trial has a need only under a memory limit, which then stands for the device. A trial that ran out of memory and
/// was not simulated beyond the limit has none: the request at which it ended gives only a lower bound.
TrialNeed trialNeed(
    Outcome outcome, const protocol::RepeatMemory& memory, const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
