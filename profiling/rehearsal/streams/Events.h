// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Streams.h"

namespace headroom::rehearsal {

/// Less than this is never said between two events that were recorded one after the other: autotuners divide their
/// patience by what they measure, and no kernel of this card has a speed of its own.
inline constexpr double kLeastElapsedMilliseconds = 1.0;

int makeEvent(unsigned flags, cudaEvent_t* handle);
int destroyEvent(cudaEvent_t handle);
int recordEvent(cudaEvent_t handle, cudaStream_t stream, unsigned flags);
/// What a graph's node does with an event when the graph is launched, `ns` on the axis of nowNs(); an event that is
/// gone is passed over.
void recordFromGraph(Event* event, std::int64_t ns);
/// Until when a node has to wait.
std::int64_t eventNs(Event* event);
int waitForEvent(cudaStream_t stream, cudaEvent_t handle, unsigned flags);
/// As queryStream.
int queryEvent(cudaEvent_t handle);
int synchronizeEvent(cudaEvent_t handle);
int elapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

} // namespace headroom::rehearsal
