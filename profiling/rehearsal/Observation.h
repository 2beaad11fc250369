// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Launches.h"

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

enum class MemoryKind { Unregistered, Device, Pinned, Registered, Managed };

/// What a stream did, on the axis of nowNs(). It may lie ahead of the host, which has not waited for it yet.
struct Activity {
    enum class Kind { Kernel, Copy, Fill, Wait };
    Kind kind = Kind::Kernel;
    int device = 0;
    std::uint32_t stream =
        0; ///< a small number, each stream's own; 7 is the legacy default stream, as the real profiler counts
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t correlation = 0; ///< of the call that it belongs to
    std::uint64_t graph = 0; ///< of the executable graph that it was launched with; 0: none
    const Launch* launch = nullptr; ///< kernels
    std::size_t bytes = 0; ///< copies and fills
    std::uint32_t value = 0; ///< fills
    MemoryKind source = MemoryKind::Unregistered; ///< copies
    MemoryKind destination = MemoryKind::Unregistered; ///< copies and fills
    bool asynchronous = false; ///< copies and fills
    int waitsFor =
        0; ///< waits: CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_*: 1 event, 2 stream waits for event, 3 stream, 4 context
};

/// Memory that was taken or given back.
struct MemoryChange {
    bool taken = true;
    MemoryKind kind = MemoryKind::Device;
    int device = 0;
    const void* address = nullptr;
    std::size_t bytes = 0; ///< as asked for
    std::int64_t ns = 0;
    std::uint32_t correlation = 0;
    const void* pool = nullptr; ///< of cudaMallocAsync
    std::uint32_t stream = 0;
    bool asynchronous = false;
};

/// A change of a pool of cudaMallocAsync.
struct PoolChange {
    enum class Kind { Created, Trimmed, Destroyed };
    Kind kind = Kind::Created;
    int device = 0;
    const void* pool = nullptr;
    std::size_t reservedBytes = 0;
    std::size_t usedBytes = 0;
    std::size_t releaseThreshold = 0;
    std::int64_t ns = 0;
    std::uint32_t correlation = 0;
};

/// A call of the runtime or the driver. `parameters` are its arguments in order in a struct, as the profiler's headers
/// declare them; `result` is its status once it returns.
struct Call {
    const char* function = ""; ///< as it is exported: "cudaMalloc", "cuMemCreate"
    bool isDriver = false;
    const void* parameters = nullptr;
    const int* result = nullptr;
    std::uint32_t correlation = 0;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0; ///< 0 when it begins
    const char* kernel = nullptr; ///< the name of what it launches
};

/// One that looks: the profiler's interface. Called on the thread of the call, outside of all locks of the card.
class Observer {
public:
    virtual void began(const Call& call) = 0;
    virtual void ended(const Call& call) = 0;
    virtual void happened(const Activity& activity) = 0;
    virtual void changed(const MemoryChange& change) = 0;
    virtual void changed(const PoolChange& change) = 0;

protected:
    ~Observer() = default;
};

/// The one that looks from now on; null: none. It must live as long as the process.
void setObserver(Observer* observer);
Observer* observer();

/// Of the call that this thread is in; a new one outside of calls.
std::uint32_t currentCorrelation();

/// Tells the observer that a call begins, and when it leaves its scope that it ended.
class CallScope {
public:
    CallScope(
        const char* function, bool isDriver, const void* parameters, const int* result, const char* kernel = nullptr);
    ~CallScope();
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

private:
    Call m_call;
    Observer* m_observer;
    std::uint32_t m_outer = 0;
};

} // namespace headroom::rehearsal
