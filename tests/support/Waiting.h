// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

namespace headroom {

/// Whether `condition` comes to hold, looked at every `interval`. The patience is for a test that hangs, and no
/// condition of one that passes.
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
