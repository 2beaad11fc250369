// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::rehearsal {

/// Nanoseconds: CLOCK_MONOTONIC and what the host has waited for the card so far. A wait costs no time: it moves this
/// clock forward instead, for the whole process, so that what was waited for is over and nothing that was over begins
/// again.
std::int64_t nowNs();

/// The same without what it has waited: CLOCK_MONOTONIC.
std::int64_t hostNs();

/// The host waits until `ns`.
void waitUntil(std::int64_t ns);

} // namespace headroom::rehearsal
