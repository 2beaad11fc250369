// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Contexts.h"
#include "profiling/rehearsal/runtime/Driver.h"
#include "profiling/rehearsal/streams/Events.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

/// A word that a stream writes when its turn comes; it carries its value as a small copy does.
int writeValue(CUstream stream, CUdeviceptr address, const void* value, std::size_t bytes)
{
    return cudaMemcpyAsync(
        reinterpret_cast<void*>(address), value, bytes, cudaMemcpyDefault, stream); // NOLINT(performance-no-int-to-ptr)
}

} // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* phStream, unsigned flags)
{
    return driver(makeStream(flags, kLeastPriority, phStream));
}

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned flags, int priority)
{
    return driver(makeStream(flags, priority, phStream));
}

CUresult cuStreamDestroy_v2(CUstream hStream)
{
    return driver(destroyStream(hStream));
}

CUresult cuStreamGetPriority(CUstream hStream, int* priority)
{
    return driver(cudaStreamGetPriority(hStream, priority));
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned* flags)
{
    return driver(cudaStreamGetFlags(hStream, flags));
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long* id)
{
    return driver(cudaStreamGetId(hStream, id));
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext* context)
{
    if (context == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const LockScope scope(streamsLock());
    const Stream* stream = streamOf(hStream);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    *context = reinterpret_cast<CUcontext>(primaryContext(stream->device));
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned flags)
{
    return driver(waitForEvent(hStream, hEvent, flags));
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned flags)
{
    return driver(cudaStreamAddCallback(hStream, reinterpret_cast<cudaStreamCallback_t>(callback), userData, flags));
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData)
{
    return driver(cudaLaunchHostFunc(hStream, fn, userData));
}

CUresult cuStreamQuery(CUstream hStream)
{
    return driver(queryStream(hStream));
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    return driver(cudaStreamSynchronize(hStream));
}

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)
{
    return driver(cudaStreamBeginCapture(hStream, static_cast<cudaStreamCaptureMode>(mode)));
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph)
{
    return driver(cudaStreamEndCapture(hStream, phGraph));
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus)
{
    return driver(cudaStreamIsCapturing(hStream, reinterpret_cast<cudaStreamCaptureStatus*>(captureStatus)));
}

CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
    const CUgraphNode** dependencies, const CUgraphEdgeData** edges, std::size_t* count)
{
    auto* state = reinterpret_cast<cudaStreamCaptureStatus*>(status);
    auto* number = reinterpret_cast<unsigned long long*>(id);
    if (edges != nullptr)
        *edges = nullptr;
#if CUDART_VERSION >= 13000
    return driver(cudaStreamGetCaptureInfo(hStream, state, number, graph, dependencies, nullptr, count));
#else
    return driver(cudaStreamGetCaptureInfo_v2(hStream, state, number, graph, dependencies, count));
#endif
}

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
    const CUgraphNode** dependencies, std::size_t* count)
{
    return cuStreamGetCaptureInfo_v3(hStream, status, id, graph, dependencies, nullptr, count);
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* status, cuuint64_t* id)
{
    return cuStreamGetCaptureInfo_v3(hStream, status, id, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode)
{
    return driver(cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)));
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned /*flags*/)
{
    return driver(writeValue(stream, addr, &value, sizeof value));
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned /*flags*/)
{
    return driver(writeValue(stream, addr, &value, sizeof value));
}

/// What would write the word does nothing here, so nothing waits for it.
CUresult cuStreamWaitValue32_v2(CUstream /*stream*/, CUdeviceptr /*addr*/, cuuint32_t /*value*/, unsigned /*flags*/)
{
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitValue64_v2(CUstream /*stream*/, CUdeviceptr /*addr*/, cuuint64_t /*value*/, unsigned /*flags*/)
{
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* phEvent, unsigned flags)
{
    return driver(makeEvent(flags, phEvent));
}

CUresult cuEventDestroy_v2(CUevent hEvent)
{
    return driver(destroyEvent(hEvent));
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    return driver(recordEvent(hEvent, hStream, cudaEventRecordDefault));
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned flags)
{
    return driver(recordEvent(hEvent, hStream, flags));
}

CUresult cuEventQuery(CUevent hEvent)
{
    return driver(queryEvent(hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    return driver(cudaEventSynchronize(hEvent));
}

CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd)
{
    return driver(elapsedTime(pMilliseconds, hStart, hEnd));
}

CUresult cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd)
{
    return driver(elapsedTime(pMilliseconds, hStart, hEnd));
}

} // extern "C"
