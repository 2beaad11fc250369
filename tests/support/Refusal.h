// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace headroom {

/// The error of type `Kind` that `action` throws; a test failure and nullopt if it throws none. Errors of other types
/// propagate to the caller.
template <typename Kind = UsageError, typename Action> std::optional<Kind> errorOf(Action&& action)
{
    try {
        action();
    } catch (const Kind& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return std::nullopt;
}

/// The message of that error; a test failure and "" if `action` throws none.
template <typename Kind = UsageError, typename Action> std::string refusal(Action&& action)
{
    const std::optional<Kind> error = errorOf<Kind>(action);
    return error ? error->what() : "";
}

} // namespace headroom
