// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/AllocatorTracker.h"

#include "core/base/Error.h"
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include <thread>
#include <utility>

namespace headroom::collectors {

AllocatorTracker::AllocatorTracker(Attach attach)
    : m_attach(std::move(attach))
{
}

void AllocatorTracker::follow(CudaAllocatorTrace& trace)
{
    const CudaAllocatorTrace* current = m_current.load();
    if (current != nullptr && current != &trace)
        throw Error("LibTorch's CUDA allocator is being traced already", "this process", "one trace at a time");
    if (!m_isAttached)
        m_attach([this](const Entry& entry) { tell(entry); });
    m_isAttached = true;
    m_current.store(&trace);
}

// Sequentially consistent: a call of tell() either sees that there is no trace any more, or is seen here. Calls that
// begin later do not count themselves, so that there is an end to the wait.
void AllocatorTracker::leave(const CudaAllocatorTrace& trace)
{
    if (m_current.load() != &trace)
        return;
    m_current.store(nullptr);
    while (m_underWay.load() > 0)
        std::this_thread::yield();
}

void AllocatorTracker::tell(const Entry& entry)
{
    if (m_current.load() == nullptr)
        return;
    ++m_underWay;
    if (CudaAllocatorTrace* trace = m_current.load())
        trace->add(entry);
    --m_underWay;
}

AllocatorTracker& allocatorTracker()
{
    namespace caching = c10::cuda::CUDACachingAllocator;
    static auto* const tracker = new AllocatorTracker(
        [](AllocatorTracker::Tracker given) { caching::attachAllocatorTraceTracker(std::move(given)); });
    return *tracker;
}

} // namespace headroom::collectors
