// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/HostAccount.h"

namespace headroom::collectors {
namespace {

// A handle is the size with the kind in its last bits, so that nothing has to be looked up.
constexpr tensor::MemoryBackend::Handle kPageableMark = 1;
constexpr tensor::MemoryBackend::Handle kPinnedMark = 2;
constexpr tensor::MemoryBackend::Handle kMarks = 3;

} // namespace

tensor::MemoryBackend::Handle HostAccount::allocateHost(tensor::HostMemory kind, Bytes bytes)
{
    const bool isPinned = kind == tensor::HostMemory::Pinned;
    const std::scoped_lock lock(m_mutex);
    m_pool.allocate(isPinned ? simulator::HostMemory::Pinned : simulator::HostMemory::Pageable, bytes);
    return (static_cast<Handle>(bytes) << 2) | (isPinned ? kPinnedMark : kPageableMark);
}

void HostAccount::release(Handle handle) noexcept
{
    if (handle == kNotCounted)
        return;
    const bool isPinned = (handle & kMarks) == kPinnedMark;
    const std::scoped_lock lock(m_mutex);
    m_pool.free(
        isPinned ? simulator::HostMemory::Pinned : simulator::HostMemory::Pageable, static_cast<Bytes>(handle >> 2));
}

simulator::HostPool HostAccount::pool() const
{
    const std::scoped_lock lock(m_mutex);
    return m_pool;
}

void HostAccount::resetPeaks()
{
    const std::scoped_lock lock(m_mutex);
    m_pool.resetPeaks();
}

} // namespace headroom::collectors
