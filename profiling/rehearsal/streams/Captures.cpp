// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Captures.h"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace headroom::rehearsal {

namespace {

constinit thread_local cudaStreamCaptureMode threadMode = cudaStreamCaptureModeGlobal;

std::vector<std::unique_ptr<Capture>>& running()
{
    static auto& all = *new std::vector<std::unique_ptr<Capture>>;
    return all;
}

std::uint64_t nextCaptureId()
{
    static std::uint64_t last = 0;
    return ++last;
}

unsigned long thisThread()
{
    return ::pthread_self();
}

bool forbidsHere(const Capture& capture)
{
    if (threadMode == cudaStreamCaptureModeRelaxed || capture.mode == cudaStreamCaptureModeRelaxed)
        return false;
    return capture.thread == thisThread()
        || (threadMode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal);
}

/// Whether work of the capture hangs behind streams that the origin did not wait for.
bool isUnjoined(const Capture& capture)
{
    const auto& tail = capture.origin->tail;
    for (const Stream* member : capture.members) {
        for (const GraphNode* node : member->tail) {
            if (capture.graph->isLeaf(node) && std::find(tail.begin(), tail.end(), node) == tail.end())
                return true;
        }
    }
    return false;
}

/// What the capture came to, and which graph; the caller of endCapture owns it.
int finish(Capture& capture, Graph** graph)
{
    if (capture.isInvalid)
        return cudaErrorStreamCaptureInvalidated;
    if (isUnjoined(capture))
        return cudaErrorStreamCaptureUnjoined;
    *graph = capture.graph;
    static_cast<void>(capture.owned.release());
    return cudaSuccess;
}

void leave(Capture& capture)
{
    for (Stream* member : capture.members) {
        member->capture = nullptr;
        member->tail.clear();
    }
    std::erase_if(running(), [&](const auto& other) { return other.get() == &capture; });
}

} // namespace

int beginCapture(cudaStream_t handle, cudaStreamCaptureMode mode, Graph* into)
{
    const LockScope scope(streamsLock());
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->isLegacy)
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture != nullptr)
        return cudaErrorIllegalState;
    auto begun = std::make_unique<Capture>();
    begun->id = nextCaptureId();
    begun->mode = mode;
    begun->thread = thisThread();
    begun->origin = stream;
    begun->members = {stream};
    if (into == nullptr)
        begun->owned = std::make_unique<Graph>();
    begun->graph = into != nullptr ? into : begun->owned.get();
    stream->capture = begun.get();
    running().push_back(std::move(begun));
    return cudaSuccess;
}

int endCapture(cudaStream_t handle, Graph** graph)
{
    *graph = nullptr;
    const LockScope scope(streamsLock());
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr)
        return cudaErrorIllegalState;
    Capture& ending = *stream->capture;
    if (ending.origin != stream) {
        invalidate(ending);
        return cudaErrorStreamCaptureUnmatched;
    }
    if (ending.mode != cudaStreamCaptureModeRelaxed && ending.thread != thisThread())
        return cudaErrorStreamCaptureWrongThread;
    const int status = finish(ending, graph);
    leave(ending);
    return status;
}

int capture(Stream& stream, Work work)
{
    Capture& current = *stream.capture;
    if (current.isInvalid)
        return cudaErrorStreamCaptureInvalidated;
    GraphNode* node = current.graph->add(std::move(work), stream.tail);
    stream.tail = {node};
    return cudaSuccess;
}

int joinCapture(Stream& stream, std::uint64_t captureId, const std::vector<GraphNode*>& tail)
{
    Capture* joined = captureWith(captureId);
    if (joined == nullptr)
        return cudaErrorCapturedEvent;
    if (stream.isLegacy) {
        invalidate(*joined);
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream.capture != nullptr && stream.capture != joined) {
        invalidate(*joined);
        invalidate(*stream.capture);
        return cudaErrorStreamCaptureMerge;
    }
    if (stream.capture == nullptr) {
        stream.capture = joined;
        joined->members.push_back(&stream);
    }
    for (GraphNode* node : tail) {
        if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end())
            stream.tail.push_back(node);
    }
    return cudaSuccess;
}

Capture* captureWith(std::uint64_t id)
{
    for (const auto& capture : running()) {
        if (capture->id == id)
            return capture.get();
    }
    return nullptr;
}

void invalidate(Capture& capture)
{
    capture.isInvalid = true;
}

int refuseWhileCapturing()
{
    const LockScope scope(streamsLock());
    int status = cudaSuccess;
    for (const auto& capture : running()) {
        if (forbidsHere(*capture)) {
            invalidate(*capture);
            status = cudaErrorStreamCaptureUnsupported;
        }
    }
    return status;
}

void exchangeCaptureMode(cudaStreamCaptureMode* mode)
{
    std::swap(threadMode, *mode);
}

bool capturesBlocking(int device)
{
    return std::any_of(running().begin(), running().end(), [&](const auto& capture) {
        return std::any_of(capture->members.begin(), capture->members.end(),
            [&](const Stream* member) { return member->device == device && member->isBlocking; });
    });
}

bool captures(int device)
{
    return std::any_of(running().begin(), running().end(), [&](const auto& capture) {
        return std::any_of(capture->members.begin(), capture->members.end(),
            [&](const Stream* member) { return member->device == device; });
    });
}

} // namespace headroom::rehearsal
