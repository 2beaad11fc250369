// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/streams/Captures.h"
#include "profiling/rehearsal/streams/Events.h"
#include "profiling/rehearsal/streams/GraphTable.h"
#include "profiling/rehearsal/streams/Pools.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

/// What a stream says of itself.
template <typename Value, typename Get> cudaError_t ask(cudaStream_t handle, Value* value, Get get)
{
    if (value == nullptr)
        return noted(cudaErrorInvalidValue);
    const LockScope scope(streamsLock());
    const Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return noted(cudaErrorInvalidResourceHandle);
    *value = get(*stream);
    return cudaSuccess;
}

/// cudaStreamAddCallback's function takes the stream and its status.
struct StreamCallback {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void* data;

    static void run(void* self)
    {
        auto* callback = static_cast<StreamCallback*>(self);
        callback->function(callback->stream, cudaSuccess, callback->data);
        delete callback;
    }
};

int putHost(cudaStream_t stream, HostFunction function, void* data)
{
    Work work;
    work.kind = Work::Kind::Host;
    work.host = {function, data};
    return put(stream, std::move(work));
}

struct CaptureAnswer {
    cudaStreamCaptureStatus* status = nullptr;
    unsigned long long* id = nullptr;
    cudaGraph_t* graph = nullptr;
    const cudaGraphNode_t** dependencies = nullptr;
    const cudaGraphEdgeData** edges = nullptr;
    std::size_t* count = nullptr;
};

int captureInfo(cudaStream_t handle, const CaptureAnswer& answer)
{
    if (answer.status == nullptr)
        return cudaErrorInvalidValue;
    const LockScope scope(streamsLock());
    const Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->isLegacy && capturesBlocking(stream->device))
        return cudaErrorStreamCaptureImplicit;
    const Capture* capture = stream->capture;
    *answer.status = capture == nullptr ? cudaStreamCaptureStatusNone
        : capture->isInvalid            ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    if (*answer.status != cudaStreamCaptureStatusActive)
        return cudaSuccess;
    if (answer.id != nullptr)
        *answer.id = capture->id;
    if (answer.graph != nullptr)
        *answer.graph = reinterpret_cast<cudaGraph_t>(capture->graph);
    if (answer.dependencies != nullptr)
        *answer.dependencies = reinterpret_cast<const cudaGraphNode_t*>(stream->tail.data());
    if (answer.edges != nullptr)
        *answer.edges = nullptr;
    if (answer.count != nullptr)
        *answer.count = stream->tail.size();
    return cudaSuccess;
}

int updateCapture(cudaStream_t handle, cudaGraphNode_t* dependencies, std::size_t count, unsigned flags)
{
    const LockScope scope(streamsLock());
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr)
        return cudaErrorIllegalState;
    if (flags == cudaStreamSetCaptureDependencies)
        stream->tail.clear();
    auto* nodes = reinterpret_cast<GraphNode**>(dependencies);
    stream->tail.insert(stream->tail.end(), nodes, nodes + count);
    return cudaSuccess;
}

int beginCaptureTo(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t count,
    cudaStreamCaptureMode mode)
{
    if (graph == nullptr)
        return cudaErrorInvalidValue;
    if (const int status = beginCapture(stream, mode, reinterpret_cast<Graph*>(graph)); status != cudaSuccess)
        return status;
    return updateCapture(stream, const_cast<cudaGraphNode_t*>(dependencies), count, cudaStreamSetCaptureDependencies);
}

int synchronizeAndRelease(int status)
{
    if (status == cudaSuccess)
        releaseUnused(currentDevice());
    return status;
}

} // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* pStream)
{
    return noted(makeStream(cudaStreamDefault, kLeastPriority, pStream));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned flags)
{
    return noted(makeStream(flags, kLeastPriority, pStream));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned flags, int priority)
{
    return noted(makeStream(flags, priority, pStream));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return noted(destroyStream(stream));
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int* priority)
{
    return ask(hStream, priority, [](const Stream& stream) { return stream.priority; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned* flags)
{
    return ask(hStream, flags, [](const Stream& stream) { return stream.flags; });
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long* id)
{
    return ask(hStream, id, [](const Stream& stream) { return stream.id; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int* device)
{
    return ask(hStream, device, [](const Stream& stream) { return stream.device; });
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return noted(queryStream(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const struct {
        cudaStream_t stream;
    } parameters{stream};
    return observed(
        "cudaStreamSynchronize", parameters, [&] { return synchronizeAndRelease(synchronizeStream(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return noted(waitForEvent(stream, event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned flags)
{
    if (callback == nullptr || flags != 0)
        return noted(cudaErrorInvalidValue);
    {
        const LockScope scope(streamsLock());
        const Stream* found = streamOf(stream);
        if (found != nullptr && found->capture != nullptr) {
            invalidate(*found->capture);
            return noted(cudaErrorStreamCaptureUnsupported);
        }
    }
    return noted(putHost(stream, StreamCallback::run, new StreamCallback{callback, stream, userData}));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData)
{
    return noted(fn == nullptr ? static_cast<int>(cudaErrorInvalidValue) : putHost(stream, fn, userData));
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    return noted(beginCapture(stream, mode, nullptr));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
    const cudaGraphEdgeData* /*edges*/, std::size_t count, cudaStreamCaptureMode mode)
{
    return noted(beginCaptureTo(stream, graph, dependencies, count, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* pGraph)
{
    if (pGraph == nullptr)
        return noted(cudaErrorInvalidValue);
    Graph* graph = nullptr;
    const int status = endCapture(stream, &graph);
    if (graph != nullptr)
        adoptGraph(graph);
    *pGraph = reinterpret_cast<cudaGraph_t>(graph);
    return noted(status);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus)
{
    CaptureAnswer answer;
    answer.status = pCaptureStatus;
    return noted(captureInfo(stream, answer));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
    cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, std::size_t* count)
{
    return noted(captureInfo(stream, {status, id, graph, dependencies, edges, count}));
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
    const cudaGraphEdgeData* /*edges*/, std::size_t count, unsigned flags)
{
    return noted(updateCapture(stream, dependencies, count, flags));
}
#else
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id)
{
    return noted(captureInfo(stream, {status, id, nullptr, nullptr, nullptr, nullptr}));
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
    cudaGraph_t* graph, const cudaGraphNode_t** dependencies, std::size_t* count)
{
    return noted(captureInfo(stream, {status, id, graph, dependencies, nullptr, count}));
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
    cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, std::size_t* count)
{
    return noted(captureInfo(stream, {status, id, graph, dependencies, edges, count}));
}

cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t* dependencies, std::size_t count, unsigned flags)
{
    return noted(updateCapture(stream, dependencies, count, flags));
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
    const cudaGraphEdgeData* /*edges*/, std::size_t count, unsigned flags)
{
    return noted(updateCapture(stream, dependencies, count, flags));
}
#endif

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode)
{
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
        return noted(cudaErrorInvalidValue);
    exchangeCaptureMode(mode);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    return noted(makeEvent(cudaEventDefault, event));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    return noted(makeEvent(flags, event));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return noted(destroyEvent(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return noted(recordEvent(event, stream, cudaEventRecordDefault));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return noted(recordEvent(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return noted(queryEvent(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const struct {
        cudaEvent_t event;
    } parameters{event};
    return observed("cudaEventSynchronize", parameters, [&] { return synchronizeAndRelease(synchronizeEvent(event)); });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end)
{
    return noted(elapsedTime(ms, start, end));
}

#if CUDART_VERSION < 13000
cudaError_t cudaEventElapsedTime_v2(float* ms, cudaEvent_t start, cudaEvent_t end)
{
    return noted(elapsedTime(ms, start, end));
}
#endif

} // extern "C"
