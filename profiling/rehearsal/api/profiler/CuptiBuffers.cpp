// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/profiler/CuptiBuffers.h"

#include <cstring>

namespace headroom::rehearsal::cupti {

void Buffers::use(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    const LockScope scope(m_lock);
    m_request = request;
    m_complete = complete;
}

bool Buffers::isUsed()
{
    const LockScope scope(m_lock);
    return m_request != nullptr && m_complete != nullptr;
}

void Buffers::addBytes(const void* record, std::size_t bytes)
{
    const LockScope scope(m_lock);
    if (m_buffer != nullptr && (m_used + bytes > m_capacity || (m_mostRecords != 0 && m_records >= m_mostRecords)))
        close();
    if (m_buffer == nullptr && !open(bytes)) {
        ++m_dropped;
        return;
    }
    std::memcpy(m_buffer + m_used, record, bytes);
    m_used += bytes;
    ++m_records;
}

bool Buffers::open(std::size_t bytes)
{
    if (m_request == nullptr)
        return false;
    m_request(&m_buffer, &m_capacity, &m_mostRecords);
    m_used = 0;
    m_records = 0;
    if (m_buffer != nullptr && m_capacity < bytes)
        close();
    return m_buffer != nullptr;
}

void Buffers::close()
{
    std::uint8_t* buffer = m_buffer;
    m_buffer = nullptr;
    if (m_complete != nullptr)
        m_complete(nullptr, 0, buffer, m_capacity, m_used);
}

void Buffers::flush(bool isForced)
{
    const LockScope scope(m_lock);
    if (m_buffer != nullptr && (m_used > 0 || isForced))
        close();
}

std::size_t Buffers::takeDropped()
{
    const LockScope scope(m_lock);
    const std::size_t dropped = m_dropped;
    m_dropped = 0;
    return dropped;
}

} // namespace headroom::rehearsal::cupti
