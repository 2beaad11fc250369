// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/DriverMemory.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>

namespace headroom::trace {
namespace {

// CUpti_ActivityMemoryOperationType, CUpti_ActivityMemoryKind, CUpti_ActivityMemoryPool...: docs/database.md.
constexpr std::uint32_t kAllocation = 1;
constexpr std::uint32_t kRelease = 2;
constexpr std::uint32_t kDevice = 3;
constexpr std::uint32_t kArray = 4;
constexpr std::uint32_t kLocalPool = 1;
constexpr std::uint32_t kPoolDestroyed = 2;

/// The allocator writes its entry when the driver's call has returned; the two clocks agree only this closely.
constexpr std::int64_t kJoinWithinNs = 1'000'000;

/// Follows handles of virtual memory (cuMemCreate and so on) in order of time. A released handle keeps its memory while
/// it is mapped anywhere; reserved addresses are not memory.
class VirtualHandles {
public:
    void apply(const VirtualMemoryRecord& record);
    /// The memory of one device, ordered by begin; a handle without a device counts for each.
    std::vector<DriverAllocation> take(std::int32_t deviceId);

private:
    struct Handle {
        std::size_t allocation = 0;
        int mappings = 0;
        bool isReleased = false;
    };
    struct Mapping {
        std::uint64_t bytes = 0;
        std::uint64_t handle = 0;
    };

    void unmap(const VirtualMemoryRecord& record);
    void endIfGone(std::uint64_t handle, std::int64_t timeNs);

    std::vector<DriverAllocation> m_allocations;
    std::vector<std::int32_t> m_devices; ///< of each
    std::unordered_map<std::uint64_t, Handle> m_handles;
    std::map<std::uint64_t, Mapping> m_mappings; ///< by address
};

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

// One call may unmap the ranges of several map calls.
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

bool isCounted(const DeviceMemoryRecord& record, std::uint32_t deviceId)
{
    return record.deviceId == deviceId && !record.isAsync && (record.kind == kDevice || record.kind == kArray);
}

template <typename Record> std::vector<const Record*> byTime(const std::vector<Record>& records)
{
    std::vector<const Record*> sorted;
    for (const Record& record : records)
        sorted.push_back(&record);
    std::ranges::stable_sort(sorted, {}, [](const Record* record) { return record->timeNs; });
    return sorted;
}

Bytes at(const std::vector<BytesPoint>& points, std::int64_t timeNs)
{
    const auto after = std::ranges::upper_bound(points, timeNs, {}, &BytesPoint::timeNs);
    return after == points.begin() ? 0 : std::prev(after)->bytes;
}

std::vector<BytesPoint> curveOf(const std::vector<DriverAllocation>& allocations)
{
    std::map<std::int64_t, Bytes> changes;
    for (const DriverAllocation& allocation : allocations) {
        changes[allocation.beginNs] += allocation.bytes;
        if (allocation.endNs != DriverAllocation::kStillThere)
            changes[allocation.endNs] -= allocation.bytes;
    }
    std::vector<BytesPoint> points;
    Bytes sum = 0;
    for (const auto& [timeNs, change] : changes)
        points.push_back({timeNs, sum += change});
    return points;
}

/// The memory that a pool had taken from the device at one time.
struct PoolSize {
    std::int64_t timeNs = 0;
    std::uint64_t pool = 0;
    Bytes bytes = 0;
};

std::vector<PoolSize> poolSizes(const DeviceRecords& records, std::uint32_t deviceId)
{
    std::vector<PoolSize> sizes;
    for (const DeviceMemoryRecord& record : records.memory)
        if (record.deviceId == deviceId && record.isAsync && record.poolType == kLocalPool)
            sizes.push_back({record.timeNs, record.poolAddress, record.poolBytes});
    for (const MemoryPoolRecord& record : records.pools)
        if (record.deviceId == deviceId && record.poolType == kLocalPool)
            sizes.push_back({record.timeNs, record.address, record.operation == kPoolDestroyed ? 0 : record.bytes});
    std::ranges::stable_sort(sizes, {}, &PoolSize::timeNs);
    return sizes;
}

bool isNear(std::int64_t left, std::int64_t right)
{
    return std::abs(left - right) <= kJoinWithinNs;
}

} // namespace

DriverMemory::DriverMemory(
    const DeviceRecords& records, std::uint32_t deviceId, std::span<const AllocatorEvent> segments)
{
    readAllocations(records, deviceId);
    readPools(records, deviceId);
    readVirtualMemory(records, deviceId);
    findPartners(records, segments);
    sumUp();
}

Bytes DriverMemory::deviceBytesAt(std::int64_t timeNs) const
{
    return at(m_device, timeNs);
}

Bytes DriverMemory::poolBytesAt(std::int64_t timeNs) const
{
    return at(m_pools, timeNs);
}

Bytes DriverMemory::virtualBytesAt(std::int64_t timeNs) const
{
    return at(m_virtualBytes, timeNs);
}

std::vector<BytesPoint> DriverMemory::totalFrom(std::int64_t timeNs) const
{
    std::vector<BytesPoint> points;
    for (const BytesPoint& point : m_total) {
        if (point.timeNs <= timeNs)
            points.clear();
        points.push_back({std::max(point.timeNs, timeNs), point.bytes});
    }
    return points;
}

void DriverMemory::readAllocations(const DeviceRecords& records, std::uint32_t deviceId)
{
    std::unordered_map<std::uint64_t, std::size_t> live;
    for (const DeviceMemoryRecord* record : byTime(records.memory)) {
        if (!isCounted(*record, deviceId))
            continue;
        const auto known = live.find(record->address);
        if (record->operation == kAllocation) {
            live[record->address] = m_allocations.size();
            m_allocations.push_back({.beginNs = record->timeNs,
                .address = record->address,
                .bytes = record->bytes,
                .source = record->source});
            m_correlations.push_back(record->correlationId);
        } else if (record->operation == kRelease && known != live.end()) {
            m_allocations[known->second].endNs = record->timeNs;
            live.erase(known);
        } else if (record->operation == kRelease) {
            ++m_releasesOfEarlier;
            m_allocations.push_back({DriverAllocation::kBeforeCapture, record->timeNs, record->address, record->bytes});
            m_correlations.push_back(0);
        }
    }
}

void DriverMemory::readPools(const DeviceRecords& records, std::uint32_t deviceId)
{
    std::map<std::uint64_t, Bytes> pools;
    Bytes sum = 0;
    for (const PoolSize& size : poolSizes(records, deviceId)) {
        sum += size.bytes - pools[size.pool];
        pools[size.pool] = size.bytes;
        m_pools.push_back({size.timeNs, sum});
    }
}

void DriverMemory::readVirtualMemory(const DeviceRecords& records, std::uint32_t deviceId)
{
    VirtualHandles handles;
    for (const VirtualMemoryRecord* record : byTime(records.virtualMemory))
        handles.apply(*record);
    m_virtual = handles.take(static_cast<std::int32_t>(deviceId));
}

// A cudaMalloc segment has the address and size of its driver record; one entry of an expandable segment matches
// several handles.
void DriverMemory::findPartners(const DeviceRecords& records, std::span<const AllocatorEvent> segments)
{
    std::unordered_map<std::uint32_t, std::int64_t> returned; ///< end of the call by correlation
    for (const ApiRecord& call : records.calls)
        returned[call.correlationId] = call.endNs;
    std::unordered_multimap<std::uint64_t, const AllocatorEvent*> allocated;
    for (const AllocatorEvent& event : segments)
        if (event.action == Action::SegmentAlloc)
            allocated.emplace(event.address, &event);
    for (std::size_t i = 0; i < m_allocations.size(); ++i) {
        DriverAllocation& own = m_allocations[i];
        const auto call = returned.find(m_correlations[i]);
        const std::int64_t timeNs = call == returned.end() ? own.beginNs : call->second;
        const auto [first, last] = allocated.equal_range(own.address);
        own.isTorchs =
            own.beginNs != DriverAllocation::kBeforeCapture && std::any_of(first, last, [&](const auto& entry) {
                return entry.second->bytes == own.bytes && isNear(entry.second->timeNs, timeNs);
            });
    }
    for (DriverAllocation& own : m_virtual)
        own.isTorchs = std::ranges::any_of(segments, [&](const AllocatorEvent& event) {
            return event.action == Action::SegmentMap && own.address != 0 && own.address >= event.address
                && own.address - event.address < static_cast<std::uint64_t>(event.bytes) && own.isThereAt(event.timeNs);
        });
}

void DriverMemory::sumUp()
{
    m_device = curveOf(m_allocations);
    m_virtualBytes = curveOf(m_virtual);
    std::set<std::int64_t> times;
    for (const auto* curve : {&m_device, &m_pools, &m_virtualBytes})
        for (const BytesPoint& point : *curve)
            times.insert(point.timeNs);
    for (const std::int64_t timeNs : times)
        m_total.push_back({timeNs, deviceBytesAt(timeNs) + poolBytesAt(timeNs) + virtualBytesAt(timeNs)});
}

} // namespace headroom::trace
