// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/ProfileCatalogue.h"

namespace headroom::collectors {

/// The device; if its profile says nothing of its speed, as that of the CPU does, with that of a nominal processor. A
/// plan compares the times of ops with each other, for which the ratio of arithmetic to memory traffic is enough.
simulator::SimulatedDevice withSpeed(simulator::SimulatedDevice device);

} // namespace headroom::collectors
