// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/DeviceProfile.h"

namespace headroom::simulator {

/// The memory that a process of an exact device has from the system, and the time of touching it for the first time.
///
/// Live memory grows into what the process has kept, and beyond that into fresh memory. What becomes free above the
/// kept bytes goes back to the system, so that a step whose memory grows and shrinks pays for it each time.
class FreshMemory {
public:
    explicit FreshMemory(const FreshMemoryProfile& profile);

    /// Seconds of first touches since the last call, given the bytes that are live now.
    double secondsFor(Bytes live);

private:
    FreshMemoryProfile m_profile;
    Bytes m_live = 0;
    Bytes m_held = 0; ///< from the system
};

} // namespace headroom::simulator
