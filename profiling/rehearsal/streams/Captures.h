// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Streams.h"

namespace headroom::rehearsal {

/// A capture in progress: the work of one stream, and of those that came to wait for it, becomes a graph. All functions
/// with streamsLock() held where they take a Stream.
struct Capture {
    std::uint64_t id = 0;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    unsigned long thread = 0;
    Stream* origin = nullptr;
    std::unique_ptr<Graph> owned; ///< until it is handed on; null where an existing graph is captured into
    Graph* graph = nullptr;
    std::vector<Stream*> members;
    bool isInvalid = false;
};

int beginCapture(cudaStream_t handle, cudaStreamCaptureMode mode, Graph* into);
int endCapture(cudaStream_t handle, Graph** graph);

/// Adds work behind what the stream has captured so far.
int capture(Stream& stream, Work work);
/// The stream takes part from now on, behind `tail`.
int joinCapture(Stream& stream, std::uint64_t captureId, const std::vector<GraphNode*>& tail);
/// The one with that id, while it goes on.
Capture* captureWith(std::uint64_t id);
void invalidate(Capture& capture);

/// Calls that are not allowed while something captures: 0, or cudaErrorStreamCaptureUnsupported, which invalidates the
/// capture.
int refuseWhileCapturing();
/// The mode of this thread, exchanged with `mode`.
void exchangeCaptureMode(cudaStreamCaptureMode* mode);

/// Whether a stream of that device captures that waits for the legacy stream.
bool capturesBlocking(int device);
bool captures(int device);

} // namespace headroom::rehearsal
