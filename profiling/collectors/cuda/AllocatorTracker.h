// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/cuda/CUDACachingAllocator.h>

#include <atomic>
#include <functional>

namespace headroom::collectors {

class CudaAllocatorTrace;

/// Hands the entries of LibTorch's CUDA allocator on to the trace that runs.
///
/// The allocator keeps its trackers for the life of the process, calls each for every allocation of every device while
/// it holds a lock, and builds an entry with three strings for them. So there is one, which is attached when the first
/// trace begins: what is timed before pays nothing.
class AllocatorTracker {
public:
    using Entry = c10::cuda::CUDACachingAllocator::TraceEntry;
    using Tracker = std::function<void(const Entry&)>;
    using Attach = std::function<void(Tracker)>;

    /// `attach` gives a tracker to the allocator; it throws if the allocator takes none.
    explicit AllocatorTracker(Attach attach);
    AllocatorTracker(const AllocatorTracker&) = delete;
    AllocatorTracker& operator=(const AllocatorTracker&) = delete;

    // From one thread at a time:
    /// From now on entries go to `trace`. Throws what `attach` throws, and Error where another trace runs.
    void follow(CudaAllocatorTrace& trace);
    /// Entries no longer go to `trace`, and none is on its way to it. Does nothing if they did not.
    void leave(const CudaAllocatorTrace& trace);

private:
    void tell(const Entry& entry);

    Attach m_attach;
    bool m_isAttached = false;
    std::atomic<CudaAllocatorTrace*> m_current = nullptr;
    std::atomic<int> m_underWay = 0; ///< calls of tell() that found a trace
};

/// The tracker of this process. It is never destroyed, as the allocator frees memory until the process ends.
AllocatorTracker& allocatorTracker();

} // namespace headroom::collectors
