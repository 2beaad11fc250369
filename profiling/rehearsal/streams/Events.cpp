// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Events.h"

#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/streams/Captures.h"

#include <algorithm>
#include <cmath>
#include <driver_types.h>
#include <unordered_set>

namespace headroom::rehearsal {

struct Event {
    unsigned flags = 0;
    bool isRecorded = false;
    std::uint64_t order = 0; ///< of its recording among all
    std::int64_t ns = 0;
    std::uint64_t hostTicket = 0;
    std::uint64_t captureId = 0; ///< of the capture that it was recorded in; 0: none
    std::vector<GraphNode*> tail;
};

namespace {

constexpr double kNsPerMillisecond = 1e6;
constexpr unsigned kKnownFlags = cudaEventBlockingSync | cudaEventDisableTiming;

std::unordered_set<Event*>& events()
{
    static auto& all = *new std::unordered_set<Event*>;
    return all;
}

Event* eventOf(cudaEvent_t handle)
{
    const auto found = events().find(reinterpret_cast<Event*>(handle));
    return found == events().end() ? nullptr : *found;
}

void markRecorded(Event& event, std::int64_t ns)
{
    static std::uint64_t lastOrder = 0;
    event.isRecorded = true;
    event.order = ++lastOrder;
    event.ns = ns;
    event.captureId = 0;
    event.tail.clear();
}

void recordNow(Event& event, const Stream& stream)
{
    markRecorded(event, beginOn(stream));
    event.hostTicket = stream.hostTicket;
}

int recordInCapture(Event& event, Stream& stream, unsigned flags)
{
    if (stream.capture->isInvalid)
        return cudaErrorStreamCaptureInvalidated;
    if ((flags & cudaEventRecordExternal) != 0) {
        Work work;
        work.kind = Work::Kind::RecordEvent;
        work.event = &event;
        return capture(stream, work);
    }
    event.captureId = stream.capture->id;
    event.tail = stream.tail;
    return cudaSuccess;
}

int captureWait(Stream& stream, Event& event)
{
    Work work;
    work.kind = Work::Kind::WaitEvent;
    work.event = &event;
    return capture(stream, work);
}

/// What the host may ask of an event now: 0, or a refusal.
int readable(const Event* event)
{
    if (event == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (event->captureId == 0)
        return cudaSuccess;
    if (Capture* capture = captureWith(event->captureId))
        invalidate(*capture);
    return cudaErrorCapturedEvent;
}

bool isTimed(const Event* event)
{
    return event != nullptr && event->isRecorded && (event->flags & cudaEventDisableTiming) == 0;
}

} // namespace

int makeEvent(unsigned flags, cudaEvent_t* handle)
{
    if ((flags & cudaEventInterprocess) != 0)
        return cudaErrorNotSupported;
    if (handle == nullptr || (flags & ~kKnownFlags) != 0)
        return cudaErrorInvalidValue;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    auto* event = new Event;
    event->flags = flags;
    const LockScope scope(streamsLock());
    events().insert(event);
    *handle = reinterpret_cast<cudaEvent_t>(event);
    return cudaSuccess;
}

int destroyEvent(cudaEvent_t handle)
{
    const LockScope scope(streamsLock());
    Event* event = eventOf(handle);
    if (event == nullptr)
        return cudaErrorInvalidResourceHandle;
    events().erase(event);
    delete event;
    return cudaSuccess;
}

int recordEvent(cudaEvent_t handle, cudaStream_t on, unsigned flags)
{
    const LockScope scope(streamsLock());
    Event* event = eventOf(handle);
    Stream* stream = streamOf(on);
    if (event == nullptr || stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture != nullptr)
        return recordInCapture(*event, *stream, flags);
    if (stream->isLegacy && capturesBlocking(stream->device))
        return cudaErrorStreamCaptureImplicit;
    recordNow(*event, *stream);
    return cudaSuccess;
}

void recordFromGraph(Event* event, std::int64_t ns)
{
    const LockScope scope(streamsLock());
    if (!events().contains(event))
        return;
    markRecorded(*event, ns);
    event->hostTicket = 0;
}

std::int64_t eventNs(Event* event)
{
    const LockScope scope(streamsLock());
    return events().contains(event) ? event->ns : 0;
}

int waitForEvent(cudaStream_t on, cudaEvent_t handle, unsigned flags)
{
    const LockScope scope(streamsLock());
    Event* event = eventOf(handle);
    Stream* stream = streamOf(on);
    if (event == nullptr || stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (event->captureId != 0)
        return joinCapture(*stream, event->captureId, event->tail);
    if (stream->capture != nullptr && (flags & cudaEventWaitExternal) != 0)
        return captureWait(*stream, *event);
    if (stream->capture != nullptr) {
        invalidate(*stream->capture);
        return cudaErrorStreamCaptureIsolation;
    }
    if (event->isRecorded) {
        extend(*stream, event->ns);
        stream->hostTicket = std::max(stream->hostTicket, event->hostTicket);
    }
    return cudaSuccess;
}

int queryEvent(cudaEvent_t handle)
{
    if (const int status = refuseWhileCapturing(); status != cudaSuccess)
        return status;
    const LockScope scope(streamsLock());
    const Event* event = eventOf(handle);
    if (const int status = readable(event); status != cudaSuccess)
        return status;
    if (!isHostFunctionDone(event->hostTicket))
        return cudaErrorNotReady;
    if (event->isRecorded)
        waitUntil(event->ns);
    return cudaSuccess;
}

int synchronizeEvent(cudaEvent_t handle)
{
    if (const int status = refuseWhileCapturing(); status != cudaSuccess)
        return status;
    std::uint64_t ticket = 0;
    std::int64_t until = 0;
    {
        const LockScope scope(streamsLock());
        const Event* event = eventOf(handle);
        if (const int status = readable(event); status != cudaSuccess)
            return status;
        ticket = event->hostTicket;
        until = event->ns;
    }
    waitForHostFunction(ticket);
    waitUntil(until);
    return cudaSuccess;
}

int elapsedTime(float* milliseconds, cudaEvent_t startHandle, cudaEvent_t endHandle)
{
    if (milliseconds == nullptr)
        return cudaErrorInvalidValue;
    const LockScope scope(streamsLock());
    const Event* start = eventOf(startHandle);
    const Event* end = eventOf(endHandle);
    if (!isTimed(start) || !isTimed(end))
        return cudaErrorInvalidResourceHandle;
    const double elapsed = static_cast<double>(end->ns - start->ns) / kNsPerMillisecond;
    const bool isTooShort = start->order != end->order && std::abs(elapsed) < kLeastElapsedMilliseconds;
    *milliseconds = static_cast<float>(
        isTooShort ? (end->order > start->order ? kLeastElapsedMilliseconds : -kLeastElapsedMilliseconds) : elapsed);
    return cudaSuccess;
}

} // namespace headroom::rehearsal
