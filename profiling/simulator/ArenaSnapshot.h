// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSnapshot.h"
#include "profiling/simulator/BlockArena.h"

namespace headroom::simulator {

/// The segments of an arena with their blocks. Parts of expandable segments without memory are left out, so that each
/// mapped run is a segment, as in PyTorch's snapshot.
AllocatorSnapshot snapshotOf(const BlockArena& arena);

} // namespace headroom::simulator
