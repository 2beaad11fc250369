// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace headroom::collectors {

/// The clock of everything that is recorded of a trial: the system's steady clock. On a card that is not there it is
/// the card's virtual time, which runs ahead of that clock by all that the host would have waited for.
class TrialClock {
public:
    using time_point = std::chrono::steady_clock::time_point;

    static time_point now();

    /// From here on `nanoseconds` says the time, on the steady clock's axis. Called before anything is recorded.
    static void follow(std::int64_t (*nanoseconds)());
};

} // namespace headroom::collectors
