// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/streams/Graphs.h"

#include <cstdint>
#include <driver_types.h>
#include <vector>

namespace headroom::rehearsal {

struct Capture;

/// A stream: until when its work takes, on the axis of nowNs(). Guarded by streamsLock().
struct Stream {
    std::uint32_t id = 0;
    int device = 0;
    unsigned flags = 0;
    int priority = 0;
    bool isLegacy = false;
    bool isBlocking = true; ///< waits for the legacy stream, and that for it
    std::int64_t clockNs = 0;
    std::uint64_t hostTicket = 0; ///< the last host function that its work comes after
    Capture* capture = nullptr; ///< that it takes part in
    std::vector<GraphNode*> tail; ///< what its next captured node depends on
};

/// Of all streams, events, captures and their clocks.
Lock& streamsLock();

/// The stream that a handle means, with the default streams of the current device; null for none. With the lock held.
Stream* streamOf(cudaStream_t handle);

int makeStream(unsigned flags, int priority, cudaStream_t* handle);
int destroyStream(cudaStream_t handle);
/// Lowest and highest, as the documentation of the runtime counts.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

/// Puts work on a stream, or into the graph that the stream captures.
int put(cudaStream_t handle, Work work);
int launchGraph(ExecutableGraph& executable, cudaStream_t handle);

int synchronizeStream(cudaStream_t handle);
/// 0, or cudaErrorNotReady while a host function has not run. Else the host waits for what is on the stream: a card
/// that answers "not ready" by the speed of this machine would make two runs differ.
int queryStream(cudaStream_t handle);
int synchronizeDevice(int device);

/// When work on the stream can begin, and that it takes until `endNs`. With the lock held.
std::int64_t beginOn(const Stream& stream);
void extend(Stream& stream, std::int64_t endNs);

} // namespace headroom::rehearsal
