// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/VirtualHandles.h"

#include <algorithm>

namespace headroom::trace {

using Call = VirtualMemoryRecord::Call;

void VirtualHandles::apply(const VirtualMemoryRecord& record)
{
    const auto handle = m_handles.find(record.handle);
    if (record.call == Call::Create) {
        m_handles[record.handle] = {.allocation = m_allocations.size()};
        m_allocations.push_back({.beginNs = record.timeNs, .bytes = record.bytes});
        m_devices.push_back(record.deviceId);
    } else if (record.call == Call::Map && handle != m_handles.end()) {
        ++handle->second.mappings;
        m_mappings[record.address] = {static_cast<std::uint64_t>(record.bytes), record.handle};
        if (std::uint64_t& first = m_allocations[handle->second.allocation].address; first == 0)
            first = record.address;
    } else if (record.call == Call::Unmap) {
        unmap(record);
    } else if (record.call == Call::Release && handle != m_handles.end()) {
        handle->second.isReleased = true;
        endIfGone(record.handle, record.timeNs);
    }
}

// One call may unmap what several have mapped.
void VirtualHandles::unmap(const VirtualMemoryRecord& record)
{
    const std::uint64_t endAddress = record.address + static_cast<std::uint64_t>(record.bytes);
    auto mapping = m_mappings.lower_bound(record.address);
    while (mapping != m_mappings.end() && mapping->first + mapping->second.bytes <= endAddress) {
        const std::uint64_t handle = mapping->second.handle;
        mapping = m_mappings.erase(mapping);
        if (const auto known = m_handles.find(handle); known != m_handles.end())
            --known->second.mappings;
        endIfGone(handle, record.timeNs);
    }
}

void VirtualHandles::endIfGone(std::uint64_t handle, std::int64_t timeNs)
{
    const auto known = m_handles.find(handle);
    if (known == m_handles.end() || !known->second.isReleased || known->second.mappings > 0)
        return;
    m_allocations[known->second.allocation].endNs = timeNs;
    m_handles.erase(known);
}

std::vector<DriverAllocation> VirtualHandles::take(std::int32_t deviceId)
{
    std::vector<DriverAllocation> own;
    for (std::size_t i = 0; i < m_allocations.size(); ++i)
        if (m_devices[i] == deviceId || m_devices[i] < 0)
            own.push_back(m_allocations[i]);
    return own;
}

} // namespace headroom::trace
