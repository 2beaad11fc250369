// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <functional>
#include <optional>
#include <string>

namespace headroom::collectors {

/// Thrown to end a trial between two steps.
struct Cancelled { };

/// How a part of a trial ended that did not complete.
struct Ending {
    Outcome outcome = Outcome::OutOfMemory;
    std::string reason;
    protocol::OutOfMemoryFacts request{}; ///< what the exception says of the request that failed; without a phase
};

/// Nullopt if the action completed. Out of memory and cancellation are endings; errors propagate.
std::optional<Ending> catchTrialStop(const std::function<void()>& action);

} // namespace headroom::collectors
