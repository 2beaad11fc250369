// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

namespace headroom {

/// Whether `condition` becomes true; it is checked every `interval`. `patience` only ends a test that hangs; a passing
/// test does not depend on it.
template <typename Condition>
[[nodiscard]] bool comesTrue(Condition&& condition, std::chrono::milliseconds interval = std::chrono::milliseconds(1),
    std::chrono::seconds patience = std::chrono::minutes(2))
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(interval);
    }
    return true;
}

} // namespace headroom
