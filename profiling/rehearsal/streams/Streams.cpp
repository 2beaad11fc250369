// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Streams.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/streams/Captures.h"
#include "profiling/rehearsal/streams/Events.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

namespace headroom::rehearsal {

namespace {

constinit Lock streamsLock_;
/// The numbers that the real profiler gives: the legacy stream's, and the first one's that a program makes.
constexpr std::uint32_t kLegacyId = 7;
constexpr std::uint32_t kFirstId = 13;

struct StreamTable {
    std::unordered_set<Stream*> made;
    std::vector<std::unique_ptr<Stream>> threads; ///< the default streams of threads
    std::unique_ptr<Stream> legacy[kMostDevices];
    std::uint32_t nextId = kFirstId;
};

StreamTable& table()
{
    static auto& all = *new StreamTable;
    return all;
}

Stream& legacyOf(int device)
{
    auto& stream = table().legacy[device];
    if (stream == nullptr) {
        stream = std::make_unique<Stream>();
        stream->id = kLegacyId;
        stream->device = device;
        stream->isLegacy = true;
    }
    return *stream;
}

constinit thread_local Stream* threadStreams[kMostDevices] = {};

Stream& threadStreamOf(int device)
{
    Stream*& mine = threadStreams[device];
    if (mine == nullptr) {
        table().threads.push_back(std::make_unique<Stream>());
        mine = table().threads.back().get();
        mine->id = table().nextId++;
        mine->device = device;
    }
    return *mine;
}

template <typename Visit> void forBlockingStreams(int device, Visit visit)
{
    for (Stream* stream : table().made) {
        if (stream->device == device && stream->isBlocking)
            visit(*stream);
    }
    for (const auto& stream : table().threads) {
        if (stream->device == device)
            visit(*stream);
    }
}

std::uint64_t hostTicketOf(cudaStream_t handle)
{
    const LockScope scope(streamsLock_);
    const Stream* stream = streamOf(handle);
    return stream == nullptr ? 0 : stream->hostTicket;
}

void tell(Activity activity, const Stream& stream, std::int64_t beginNs, std::int64_t endNs, std::uint64_t graph)
{
    activity.device = stream.device;
    activity.stream = stream.id;
    activity.beginNs = beginNs;
    activity.endNs = endNs;
    activity.correlation = currentCorrelation();
    activity.graph = graph;
    observer()->happened(activity);
}

void tellWork(const Work& work, const Stream& stream, std::int64_t beginNs, std::int64_t endNs, std::uint64_t graph = 0)
{
    if (work.kind == Work::Kind::Kernel)
        countLaunch();
    Activity activity;
    if (observer() != nullptr && describe(work, activity))
        tell(activity, stream, beginNs, endNs, graph);
}

void tellWait(const Stream& stream, int waitsFor, std::int64_t beginNs)
{
    if (observer() == nullptr)
        return;
    Activity activity;
    activity.kind = Activity::Kind::Wait;
    activity.waitsFor = waitsFor;
    tell(activity, stream, beginNs, nowNs(), 0);
}

/// Values move before the call returns, so what they come after has to have run.
void carryOutAfterHost(const Work& work, std::uint64_t hostTicket)
{
    if (work.kind == Work::Kind::Copy || work.kind == Work::Kind::Fill) {
        waitForHostFunction(hostTicket);
        carryOut(work);
    }
}

int putOnStream(cudaStream_t handle, Work& work)
{
    Stream shown;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    carryOutAfterHost(work, hostTicketOf(handle));
    {
        const LockScope scope(streamsLock_);
        Stream& stream = *streamOf(handle);
        begin = beginOn(stream);
        end = begin + durationNs(work);
        extend(stream, end);
        if (work.kind == Work::Kind::Host)
            stream.hostTicket = putHostFunction(work.host.function, work.host.data);
        shown.id = stream.id;
        shown.device = stream.device;
    }
    tellWork(work, shown, begin, end);
    return cudaSuccess;
}

void runHostNode(const HostWork& work, cudaStream_t handle)
{
    const LockScope scope(streamsLock_);
    streamOf(handle)->hostTicket = putHostFunction(work.function, work.data);
}

/// The stream goes on when the event has happened; what of the graph stands beside the node is not told apart.
void waitInGraph(Event* event, cudaStream_t handle)
{
    const std::int64_t until = eventNs(event);
    const LockScope scope(streamsLock_);
    extend(*streamOf(handle), until);
}

/// Nodes of a graph that was launched at `begin`, those of its children at their place.
void runNodes(const std::vector<NodeSpan>& spans, cudaStream_t handle, const Stream& shown, std::int64_t begin,
    std::uint64_t graph)
{
    for (const NodeSpan& span : spans) {
        const Work& work = span.node->work;
        carryOutAfterHost(work, hostTicketOf(handle));
        if (work.kind == Work::Kind::Host)
            runHostNode(work.host, handle);
        else if (work.kind == Work::Kind::RecordEvent)
            recordFromGraph(work.event, begin + span.endNs);
        else if (work.kind == Work::Kind::WaitEvent)
            waitInGraph(work.event, handle);
        else if (work.kind == Work::Kind::Graph)
            runNodes(spansOf(*work.graph), handle, shown, begin + span.beginNs, graph);
        else
            tellWork(work, shown, begin + span.beginNs, begin + span.endNs, graph);
    }
}

/// Whether the work went into a graph, or is refused; -1: it has to be done now.
int captureInstead(cudaStream_t handle, Work& work)
{
    const LockScope scope(streamsLock_);
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->isLegacy && capturesBlocking(stream->device))
        return cudaErrorStreamCaptureImplicit;
    return stream->capture != nullptr ? capture(*stream, std::move(work)) : -1;
}

int refuseCapturing(cudaStream_t handle)
{
    const LockScope scope(streamsLock_);
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr)
        return cudaSuccess;
    invalidate(*stream->capture);
    return cudaErrorStreamCaptureUnsupported;
}

} // namespace

Lock& streamsLock()
{
    return streamsLock_;
}

Stream* streamOf(cudaStream_t handle)
{
    if (handle == nullptr || handle == cudaStreamLegacy) // NOLINT
        return &legacyOf(currentDevice());
    if (handle == cudaStreamPerThread) // NOLINT
        return &threadStreamOf(currentDevice());
    const auto found = table().made.find(reinterpret_cast<Stream*>(handle));
    return found == table().made.end() ? nullptr : *found;
}

int makeStream(unsigned flags, int priority, cudaStream_t* handle)
{
    if (handle == nullptr || flags > cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    const LockScope scope(streamsLock_);
    auto stream = std::make_unique<Stream>();
    stream->id = table().nextId++;
    stream->device = currentDevice();
    stream->flags = flags;
    stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
    stream->isBlocking = flags != cudaStreamNonBlocking;
    *handle = reinterpret_cast<cudaStream_t>(stream.get());
    table().made.insert(stream.release());
    return cudaSuccess;
}

int destroyStream(cudaStream_t handle)
{
    const LockScope scope(streamsLock_);
    const auto found = table().made.find(reinterpret_cast<Stream*>(handle));
    if (found == table().made.end())
        return cudaErrorInvalidResourceHandle;
    if (Capture* taking = (*found)->capture) {
        invalidate(*taking);
        std::erase(taking->members, *found);
    }
    delete *found;
    table().made.erase(found);
    return cudaSuccess;
}

std::int64_t beginOn(const Stream& stream)
{
    std::int64_t begin = std::max(nowNs(), stream.clockNs);
    if (stream.isLegacy)
        forBlockingStreams(stream.device, [&](const Stream& other) { begin = std::max(begin, other.clockNs); });
    else if (stream.isBlocking)
        begin = std::max(begin, legacyOf(stream.device).clockNs);
    return begin;
}

void extend(Stream& stream, std::int64_t endNs)
{
    stream.clockNs = std::max(stream.clockNs, endNs);
}

int put(cudaStream_t handle, Work work)
{
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    const int captured = captureInstead(handle, work);
    return captured >= 0 ? captured : putOnStream(handle, work);
}

int launch(const Launch& launch)
{
    Work work;
    work.kind = Work::Kind::Kernel;
    work.launch = launch;
    return put(launch.stream, std::move(work));
}

int launchGraph(ExecutableGraph& executable, cudaStream_t handle)
{
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    Work child;
    child.kind = Work::Kind::Graph;
    child.graph = executable.graph;
    if (const int captured = captureInstead(handle, child); captured >= 0)
        return captured;
    Stream shown;
    std::int64_t begin = 0;
    {
        const LockScope scope(streamsLock_);
        Stream& stream = *streamOf(handle);
        begin = beginOn(stream);
        for (const NodeSpan& span : executable.spans)
            extend(stream, begin + span.endNs);
        shown.id = stream.id;
        shown.device = stream.device;
    }
    runNodes(executable.spans, handle, shown, begin, executable.id);
    return cudaSuccess;
}

int synchronizeStream(cudaStream_t handle)
{
    if (const int status = refuseCapturing(handle); status != cudaSuccess)
        return status;
    const std::int64_t since = nowNs();
    waitForHostFunction(hostTicketOf(handle));
    Stream shown;
    std::int64_t until = 0;
    {
        const LockScope scope(streamsLock_);
        const Stream& stream = *streamOf(handle);
        until = stream.isLegacy ? beginOn(stream) : stream.clockNs;
        shown.id = stream.id;
        shown.device = stream.device;
    }
    waitUntil(until);
    tellWait(shown, 3, since);
    return cudaSuccess;
}

int queryStream(cudaStream_t handle)
{
    if (const int status = refuseCapturing(handle); status != cudaSuccess)
        return status;
    if (!isHostFunctionDone(hostTicketOf(handle)))
        return cudaErrorNotReady;
    const LockScope scope(streamsLock_);
    waitUntil(streamOf(handle)->clockNs);
    return cudaSuccess;
}

int synchronizeDevice(int device)
{
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    const std::int64_t since = nowNs();
    std::uint64_t ticket = 0;
    std::int64_t until = 0;
    {
        const LockScope scope(streamsLock_);
        if (captures(device))
            return cudaErrorStreamCaptureUnsupported;
        const auto count = [&](const Stream& stream) {
            until = std::max(until, stream.clockNs);
            ticket = std::max(ticket, stream.hostTicket);
        };
        count(legacyOf(device));
        forBlockingStreams(device, count);
        for (const Stream* stream : table().made) {
            if (stream->device == device)
                count(*stream);
        }
    }
    waitForHostFunction(ticket);
    waitUntil(until);
    Stream shown;
    shown.device = device;
    tellWait(shown, 4, since);
    return cudaSuccess;
}

} // namespace headroom::rehearsal
