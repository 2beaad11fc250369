// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaRefusals.h"

#include "core/tensor/Torch.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <mutex>
#include <optional>

namespace headroom::collectors {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

Bytes totalOf(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

} // namespace

struct CudaRefusals::Last {
    std::mutex mutex;
    std::optional<RefusedRequest> request;
};

// Called by the thread whose request failed, after everything that could be given back has been. The allocator's lock
// may be asked for again by this thread.
CudaRefusals::CudaRefusals(int device)
    : m_last(std::make_shared<Last>())
{
    const auto note = [device, last = m_last](
                          std::int64_t on, std::size_t segment, std::size_t allowed, std::size_t available) {
        if (on != device)
            return;
        const auto stats = caching::getDeviceStats(static_cast<c10::DeviceIndex>(device));
        const std::scoped_lock lock(last->mutex);
        last->request = RefusedRequest{static_cast<Bytes>(segment), static_cast<Bytes>(allowed),
            static_cast<Bytes>(available), totalOf(stats.allocated_bytes), totalOf(stats.reserved_bytes)};
    };
    try {
        caching::attachOutOfMemoryObserver(note);
    } catch (const c10::Error& error) {
        m_problem = error.what_without_backtrace();
    }
}

protocol::OutOfMemoryFacts CudaRefusals::exact(const protocol::OutOfMemoryFacts& said) const
{
    const std::scoped_lock lock(m_last->mutex);
    return m_last->request && mayTellOf(said, *m_last->request) ? factsOf(*m_last->request) : said;
}

} // namespace headroom::collectors
