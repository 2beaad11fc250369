// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/EventRing.h"
#include "profiling/collectors/cupti/BufferRing.h"
#include "profiling/collectors/cupti/RecordDecoder.h"
#include "profiling/collectors/cupti/StampClock.h"
#include "profiling/measurement/Collector.h"
#include "profiling/trace/DeviceRecords.h"

#include <cupti.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace headroom::collectors::cupti {

/// The one subscriber that CUPTI allows per process, held from construction to destruction; it also observes the
/// driver's virtual-memory calls.
class Subscription {
public:
    /// If another subscriber exists, problem() names it.
    explicit Subscription(std::chrono::steady_clock::time_point origin);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Why there is no subscription; empty when there is.
    const std::string& problem() const { return m_problem; }

    enum class Calls : std::uint32_t { Unseen = 0, Seen = 1 };
    /// Chooses whether virtual-memory calls are observed from now on. Returns what went wrong, or an empty text.
    std::string observe(Calls calls);

    /// Appends the calls observed so far. From one thread at a time.
    void take(std::vector<trace::VirtualMemoryRecord>& calls);
    std::int64_t lostCalls() const { return m_calls.lost(); }

private:
    static void CUPTIAPI onCall(
        void* self, CUpti_CallbackDomain domain, CUpti_CallbackId callback, const void* callbackData);

    std::chrono::steady_clock::time_point m_origin;
    CUpti_SubscriberHandle m_handle = nullptr;
    EventRing<trace::VirtualMemoryRecord> m_calls;
    std::string m_problem;
};

/// What a capture lost, counted at every place where records can be lost.
struct Losses {
    std::int64_t droppedRecords = 0; ///< as counted by CUPTI: it had no buffer, or lost them itself
    std::int64_t refusedBuffers = 0; ///< requests made while all our buffers were in use
    std::int64_t foreignBuffers = 0; ///< returned to us, but not ours
    std::int64_t lostCalls = 0; ///< virtual-memory calls dropped because our queue was full
    std::int64_t markerEndsWithoutBegin = 0;
    DecodeCounts decoded{};
};

/// One sentence per kind of loss that says what it means for the trace; empty when nothing was lost.
std::vector<std::string> sentences(const Losses& losses);

/// How much device work is captured beside memory.
enum class Depth { Transfers, Kernels };

/// One capture with CUPTI: made before the first CUDA call of the process, as some settings are read when a context is
/// created. Memory is captured from then on, device work only within a pass.
///
/// A dedicated thread asks CUPTI to deliver complete records and decodes them. CUPTI itself is never finalised
/// (cuptiFinalize races with CUDA calls of other threads): there is one capture per process, after which the
/// process ends.
class ActivityCapture {
public:
    /// If there can be no capture, problem() gives the reason and every other function does nothing. There must be a
    /// driver.
    explicit ActivityCapture(std::chrono::steady_clock::time_point origin);
    ~ActivityCapture();
    ActivityCapture(const ActivityCapture&) = delete;
    ActivityCapture& operator=(const ActivityCapture&) = delete;

    const std::string& problem() const { return m_problem; }

    /// Captures nothing until resume(); used while steps are timed. The device must be synchronised.
    void pause();
    void resume();
    /// From here on device work is captured too.
    void beginPass(Depth depth);
    /// Asks the capture's own thread to have complete records delivered soon; called at step boundaries.
    void deliver();
    /// Ends the capture and returns everything it recorded. The device must be synchronised.
    Capture finish();

private:
    void prepare();
    void takeMarkers();
    void setAttributes();
    template <typename Value> void setAttribute(CUpti_ActivityAttribute attribute, Value value);
    void chooseClock();
    void enable(CUpti_ActivityKind kind);
    void enableMemory();
    void setAllocationCalls(std::uint8_t enabled);
    void disableAll();
    void note(CUptiResult result, const std::string& what);
    void run(const std::stop_token& stop);
    void readBuffers();
    void syncClocks();
    std::vector<std::string> losses() const;

    const std::chrono::steady_clock::time_point m_origin;
    std::string m_problem;
    std::vector<std::string> m_notes;
    std::unique_ptr<BufferRing> m_ring;
    std::unique_ptr<Subscription> m_subscription;
    std::unique_ptr<RecordDecoder> m_decoder;
    std::vector<CUpti_ActivityKind> m_enabled;
    std::atomic<bool> m_isPaused = false;

    // Owned by the reader thread while it runs.
    trace::DeviceRecords m_records;
    std::int64_t m_dropped = 0;

    std::mutex m_reading; ///< held by the reader thread while it asks for records and reads them
    std::mutex m_mutex; ///< guards the request to deliver; never held around a call of CUPTI
    std::condition_variable_any m_wished;
    bool m_isWished = false;
    std::jthread m_thread; ///< last member: it must end before the members that it uses are destroyed
};

} // namespace headroom::collectors::cupti
