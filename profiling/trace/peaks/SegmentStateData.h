// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/SegmentState.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::trace {

/// A state as a trace keeps it (byte layout: docs/database.md): some ten bytes for each block. Any values round-trip.
/// Throws UsageError for segments or blocks that are not in the order of their addresses.
std::vector<std::byte> encodeSegmentState(const SegmentState& state);

/// Bounds-checked; throws MalformedBlock for anything that encodeSegmentState would not have written. Takes memory in
/// proportion to the data.
SegmentState decodeSegmentState(std::span<const std::byte> data);

} // namespace headroom::trace
