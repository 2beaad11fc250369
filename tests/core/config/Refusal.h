// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

#include <gtest/gtest.h>

#include <string>

namespace headroom {

/// The message of the error of type `Kind` that `action` throws; a test failure and "" when it throws none.
template <typename Kind = UsageError, typename Action> std::string refusal(Action action)
{
    try {
        action();
    } catch (const Kind& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

} // namespace headroom
