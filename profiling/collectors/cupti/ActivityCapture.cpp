// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/ActivityCapture.h"

#include "profiling/collectors/TrialClock.h"
#include "profiling/collectors/cupti/CuptiStatus.h"
#include "profiling/collectors/cupti/VirtualMemoryCalls.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace headroom::collectors::cupti {
namespace {

constexpr std::size_t kMostCalls = 1 << 16; // between two flushes; a large model maps some thousand chunks in all
constexpr const char* kName = "Headroom";

// "3 records …" if there are any.
void add(std::vector<std::string>& sentences, std::int64_t count, const std::string& meaning)
{
    if (count > 0)
        sentences.push_back("CUPTI: " + std::to_string(count) + " " + meaning);
}

std::int64_t total(const std::map<std::uint32_t, std::int64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& entry) { return sum + entry.second; });
}

constexpr std::size_t kBufferBytes = 4 * kMiB;
constexpr std::size_t kMostDeviceBuffers = 8; // of 3.2 MB; CUPTI would take up to 250 per context
constexpr std::size_t kFirstDeviceBuffers = 1;
constexpr std::chrono::milliseconds kDeliveryInterval(250);
constexpr std::int64_t kClockIntervalNs = 10'000'000'000;

constexpr std::array kMemoryKinds{CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY_POOL,
    CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_MARKER};
constexpr std::array kTransferKinds{
    CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};
// A whole kind would give a record per launch: these are the calls that allocate or free memory.
constexpr std::array kAllocationCalls{CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocPitch_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocArray_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaFreeArray_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocHost_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaFreeHost_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaHostAlloc_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaMalloc3D_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000, CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_v11020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_ptsz_v11020, CUPTI_RUNTIME_TRACE_CBID_cudaFreeAsync_v11020,
    CUPTI_RUNTIME_TRACE_CBID_cudaFreeAsync_ptsz_v11020, CUPTI_RUNTIME_TRACE_CBID_cudaMallocFromPoolAsync_v11020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMallocFromPoolAsync_ptsz_v11020};

// CUPTI's buffer callbacks take no user pointer: they find the buffers of the one capture here.
std::atomic<BufferRing*> s_ring = nullptr;

void CUPTIAPI onRequested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords)
{
    BufferRing* ring = s_ring.load(std::memory_order_acquire);
    *mostRecords = 0; // as many as fit
    *buffer = ring == nullptr ? nullptr : ring->take();
    *bytes = *buffer == nullptr ? 0 : ring->bufferBytes();
}

void CUPTIAPI onCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t validBytes)
{
    if (BufferRing* ring = s_ring.load(std::memory_order_acquire); ring != nullptr && buffer != nullptr)
        ring->complete(buffer, validBytes);
}

std::uint64_t CUPTIAPI onTime()
{
    return monotonicNs();
}

} // namespace

Subscription::Subscription(std::chrono::steady_clock::time_point origin)
    : m_origin(origin)
    , m_calls(kMostCalls)
{
    std::array<char, 2 * CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> holder{};
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = kName;
    parameters.oldSubscriberName = holder.data();
    parameters.oldSubscriberSize = holder.size() - 1;
    const CUptiResult result = cuptiSubscribe_v2(&m_handle, &Subscription::onCall, this, &parameters);
    m_problem = explain(result, holder.data());
}

Subscription::~Subscription()
{
    if (m_problem.empty())
        cuptiUnsubscribe(m_handle);
}

std::string Subscription::observe(Calls calls)
{
    for (const CUpti_driver_api_trace_cbid call : kVirtualMemoryCalls) {
        const CUptiResult result =
            cuptiEnableCallback(static_cast<std::uint32_t>(calls), m_handle, CUPTI_CB_DOMAIN_DRIVER_API, call);
        if (result != CUPTI_SUCCESS)
            return "virtual-memory calls are not seen: " + explain(result);
    }
    return {};
}

void Subscription::take(std::vector<trace::VirtualMemoryRecord>& calls)
{
    m_calls.drain([&](const trace::VirtualMemoryRecord& call) { calls.push_back(call); });
}

// Runs on the thread of the call, inside it.
void CUPTIAPI Subscription::onCall(
    void* self, CUpti_CallbackDomain domain, CUpti_CallbackId callback, const void* callbackData)
{
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API)
        return;
    auto& subscription = *static_cast<Subscription*>(self);
    auto call = virtualMemoryCall(callback, *static_cast<const CUpti_CallbackData*>(callbackData));
    if (!call)
        return;
    call->timeNs = std::chrono::nanoseconds(TrialClock::now() - subscription.m_origin).count();
    subscription.m_calls.push(*call);
}

std::vector<std::string> sentences(const Losses& losses)
{
    std::vector<std::string> list;
    add(list, losses.droppedRecords,
        "records were dropped: the driver's lanes are incomplete, their peaks lower bounds");
    add(list, losses.refusedBuffers, "requests for a buffer found none free");
    add(list, losses.foreignBuffers, "buffers were not ours: another client has used CUPTI in this process");
    add(list, losses.lostCalls, "virtual-memory calls were lost: mapped bytes are incomplete");
    add(list, losses.decoded.lostTimes, "records of kernels, copies or fills have no times, as device buffers ran out");
    add(list, losses.decoded.unfinished, "records of kernels, copies or fills had not ended");
    add(list, losses.decoded.smallRecords, "records are of an older version and were not read");
    add(list, total(losses.decoded.unknownKinds), "records are of kinds that are not read");
    add(list, losses.decoded.unreadableBytes, "bytes of records could not be read");
    add(list, losses.markerEndsWithoutBegin, "NVTX ranges began before the capture and were left out");
    return list;
}

ActivityCapture::ActivityCapture(std::chrono::steady_clock::time_point origin)
    : m_origin(origin)
    , m_problem(processProblem())
{
    if (m_problem.empty() && s_ring.load() != nullptr)
        m_problem = "this process has a capture already";
    if (!m_problem.empty())
        return;
    m_subscription = std::make_unique<Subscription>(origin);
    m_problem = m_subscription->problem();
    if (m_problem.empty())
        prepare();
}

ActivityCapture::~ActivityCapture()
{
    finish();
}

void ActivityCapture::prepare()
{
    note(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "threads have no numbers of the system");
    takeMarkers();
    chooseClock();
    setAttributes();
    m_ring = std::make_unique<BufferRing>(kBufferBytes);
    s_ring.store(m_ring.get(), std::memory_order_release);
    note(cuptiActivityRegisterCallbacks(onRequested, onCompleted), "nothing is delivered");
    enableMemory();
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

// Ranges of libraries (cuDNN, NCCL) arrive through CUPTI if it is named as NVTX's tool before the first of them, and if
// no other tool is.
void ActivityCapture::takeMarkers()
{
    Dl_info library{};
    if (::dladdr(reinterpret_cast<void*>(&cuptiGetVersion), &library) != 0 && library.dli_fname != nullptr)
        ::setenv("NVTX_INJECTION64_PATH", library.dli_fname, 0);
}

// CUPTI must take its time from the clock of the trace; if it refuses, it uses the system's time of day; both are read
// here. Timestamps that follow neither are not times and would put every record at a random place.
void ActivityCapture::chooseClock()
{
    const bool isRegistered = cuptiActivityRegisterTimestampCallback(onTime) == CUPTI_SUCCESS;
    const trace::ClockSync before = readClocks(m_origin);
    std::uint64_t stamp = 0;
    note(cuptiGetTimestamp(&stamp), "CUPTI does not tell its time");
    const trace::ClockSync after = readClocks(m_origin);
    StampClock clock = clockOf(stamp, before, after);
    if (clock == StampClock::Foreign)
        m_notes.emplace_back(
            "CUPTI: its clock is neither of the system's, as after another profiler: times may be off");
    if (isRegistered)
        clock = StampClock::Monotonic;
    m_decoder = std::make_unique<RecordDecoder>(StampAxis(originStamp(clock, after)), RecordSizes::ofLibrary());
    m_records.clocks.push_back(before);
}

void ActivityCapture::setAttributes()
{
    setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t{1});
    setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, std::uint8_t{1});
    setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, kFirstDeviceBuffers);
    setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, kMostDeviceBuffers);
    // The device's memory is what is measured, so the buffers are pinned. Refused under confidential computing, where
    // the limit has to suffice.
    std::uint8_t isPinned = 1;
    std::size_t size = sizeof(isPinned);
    cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, &size, &isPinned);
}

template <typename Value> void ActivityCapture::setAttribute(CUpti_ActivityAttribute attribute, Value value)
{
    std::size_t size = sizeof(value);
    note(cuptiActivitySetAttribute(attribute, &size, &value),
        "attribute " + std::to_string(static_cast<int>(attribute)) + " is not set");
}

void ActivityCapture::enable(CUpti_ActivityKind kind)
{
    const CUptiResult result = cuptiActivityEnable(kind);
    note(result, "records of kind " + std::to_string(static_cast<int>(kind)) + " are not captured");
    if (result == CUPTI_SUCCESS)
        m_enabled.push_back(kind);
}

void ActivityCapture::enableMemory()
{
    for (const CUpti_ActivityKind kind : kMemoryKinds)
        enable(kind);
    setAllocationCalls(1);
    if (const std::string problem = m_subscription->observe(Subscription::Calls::Seen); !problem.empty())
        m_notes.push_back("CUPTI: " + problem);
}

void ActivityCapture::setAllocationCalls(std::uint8_t enabled)
{
    for (const CUpti_runtime_api_trace_cbid call : kAllocationCalls)
        note(cuptiActivityEnableRuntimeApi(call, enabled), "calls of the runtime are not captured");
}

void ActivityCapture::disableAll()
{
    for (const CUpti_ActivityKind kind : m_enabled)
        cuptiActivityDisable(kind);
    m_enabled.clear();
    setAllocationCalls(0);
    m_subscription->observe(Subscription::Calls::Unseen);
}

// One note is enough for an error that repeats for each item of a list.
void ActivityCapture::note(CUptiResult result, const std::string& what)
{
    const std::string sentence = "CUPTI: " + what + ": " + explain(result);
    if (result != CUPTI_SUCCESS && std::find(m_notes.begin(), m_notes.end(), sentence) == m_notes.end())
        m_notes.push_back(sentence);
}

// Records that CUPTI still holds would otherwise wait until after the pause. When this returns, the reader is not at
// work either: it would take time from the steps that are timed.
void ActivityCapture::pause()
{
    if (!m_ring || m_isPaused.exchange(true))
        return;
    const std::scoped_lock lock(m_reading);
    cuptiActivityFlushAll(0);
    disableAll();
}

void ActivityCapture::resume()
{
    if (!m_ring || !m_isPaused.exchange(false))
        return;
    enableMemory();
}

void ActivityCapture::beginPass(Depth depth)
{
    if (!m_ring)
        return;
    for (const CUpti_ActivityKind kind : kTransferKinds)
        enable(kind);
    if (depth == Depth::Kernels)
        enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

void ActivityCapture::deliver()
{
    if (!m_ring || m_isPaused)
        return;
    {
        const std::scoped_lock lock(m_mutex);
        m_isWished = true;
    }
    m_wished.notify_one();
}

void ActivityCapture::run(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            m_wished.wait_for(lock, stop, kDeliveryInterval, [this] { return m_isWished; });
            m_isWished = false;
        }
        const std::scoped_lock lock(m_reading);
        if (m_isPaused)
            continue;
        cuptiActivityFlushAll(0);
        readBuffers();
        syncClocks();
    }
}

void ActivityCapture::readBuffers()
{
    while (const auto valid = m_ring->nextFilled()) {
        m_decoder->decode(*valid, m_records);
        m_ring->release();
    }
    m_subscription->take(m_records.virtualMemory);
    std::size_t dropped = 0; // since the last query
    if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
        m_dropped += static_cast<std::int64_t>(dropped);
}

void ActivityCapture::syncClocks()
{
    const trace::ClockSync clocks = readClocks(m_origin);
    if (clocks.timeNs - m_records.clocks.back().timeNs >= kClockIntervalNs)
        m_records.clocks.push_back(clocks);
}

Capture ActivityCapture::finish()
{
    if (!m_ring)
        return {};
    m_thread = {};
    cuptiActivityFlushAll(0);
    disableAll();
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    readBuffers();
    m_decoder->finish(m_records);
    m_records.clocks.push_back(readClocks(m_origin));
    Capture capture{std::exchange(m_records, {}), losses(), m_notes};
    m_subscription.reset();
    s_ring.store(nullptr);
    if (!m_ring->isIdle()) // CUPTI may still write to buffers that it did not return
        static_cast<void>(m_ring.release());
    m_ring.reset();
    return capture;
}

std::vector<std::string> ActivityCapture::losses() const
{
    return sentences({.droppedRecords = m_dropped,
        .refusedBuffers = m_ring->refused(),
        .foreignBuffers = m_ring->foreign(),
        .lostCalls = m_subscription->lostCalls(),
        .markerEndsWithoutBegin = m_decoder->markerEndsWithoutBegin(),
        .decoded = m_decoder->counts()});
}

} // namespace headroom::collectors::cupti
