// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/DeviceRecords.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace headroom::trace {

/// Memory that the driver allocated, from its allocation to its release.
struct DriverAllocation {
    static constexpr std::int64_t kBeforeCapture = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kStillThere = std::numeric_limits<std::int64_t>::max();

    std::int64_t beginNs = 0; ///< kBeforeCapture: only its release was seen
    std::int64_t endNs = kStillThere;
    std::uint64_t address = 0; ///< of virtual memory: where it was mapped first; 0: nowhere
    Bytes bytes = 0;
    std::string source{}; ///< shared object that requested it; empty: not recorded
    bool isTorchs = false; ///< it matches a segment of the caching allocator

    bool isThereAt(std::int64_t timeNs) const { return beginNs <= timeNs && timeNs < endNs; }

    bool operator==(const DriverAllocation&) const = default;
};

/// A value in bytes that holds from an instant on.
struct BytesPoint {
    std::int64_t timeNs = 0;
    Bytes bytes = 0;

    bool operator==(const BytesPoint&) const = default;
};

/// The driver's memory of one device as curves. Counted are allocations of kind device and array outside pools, the
/// memory that pools have taken from the device, and physical virtual memory (cuMemCreate), which remains until its
/// handle is released and nothing maps it any more. The records may be in any order.
class DriverMemory {
public:
    /// `segments`: the allocator's SegmentAlloc and SegmentMap events (others are ignored), to match with driver
    /// allocations.
    DriverMemory(const DeviceRecords& records, std::uint32_t deviceId, std::span<const AllocatorEvent> segments);

    std::span<const DriverAllocation> allocations() const { return m_allocations; } ///< by begin
    std::span<const DriverAllocation> virtualMemory() const { return m_virtual; } ///< by begin

    Bytes deviceBytesAt(std::int64_t timeNs) const;
    Bytes poolBytesAt(std::int64_t timeNs) const;
    Bytes virtualBytesAt(std::int64_t timeNs) const;
    /// The sum of the three, at every change, ordered by time.
    std::span<const BytesPoint> total() const { return m_total; }
    /// The same from a time on, preceded by the last value before it, at that time.
    std::vector<BytesPoint> totalFrom(std::int64_t timeNs) const;

    /// Releases of memory that was allocated before the capture and was therefore never counted.
    std::int64_t releasesOfEarlier() const { return m_releasesOfEarlier; }

private:
    void readAllocations(const DeviceRecords& records, std::uint32_t deviceId);
    void readPools(const DeviceRecords& records, std::uint32_t deviceId);
    void readVirtualMemory(const DeviceRecords& records, std::uint32_t deviceId);
    void findPartners(const DeviceRecords& records, std::span<const AllocatorEvent> segments);
    void sumUp();

    std::vector<DriverAllocation> m_allocations;
    std::vector<DriverAllocation> m_virtual;
    std::vector<std::uint32_t> m_correlations; ///< of each allocation
    std::vector<BytesPoint> m_device;
    std::vector<BytesPoint> m_pools;
    std::vector<BytesPoint> m_virtualBytes;
    std::vector<BytesPoint> m_total;
    std::int64_t m_releasesOfEarlier = 0;
};

} // namespace headroom::trace
