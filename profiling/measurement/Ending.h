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
    std::optional<Bytes> requestedBytes = std::nullopt;
    std::optional<Bytes> missingBytes = std::nullopt;
};

/// Nullopt if the action completed. Out of memory and cancellation are endings; errors propagate.
std::optional<Ending> catchTrialStop(const std::function<void()>& action);

} // namespace headroom::collectors
