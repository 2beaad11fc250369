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

/// Memory that the driver gave out, from its allocation to its end.
struct DriverAllocation {
    static constexpr std::int64_t kBeforeCapture = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kStillThere = std::numeric_limits<std::int64_t>::max();

    std::int64_t beginNs = 0; ///< kBeforeCapture: only its release was seen
    std::int64_t endNs = kStillThere;
    std::uint64_t address = 0; ///< of virtual memory: where it was mapped first; 0: nowhere
    Bytes bytes = 0;
    std::string source{}; ///< shared object that asked for it; empty: not recorded
    bool isTorchs = false; ///< a segment of the caching allocator is its partner

    bool isThereAt(std::int64_t timeNs) const { return beginNs <= timeNs && timeNs < endNs; }

    bool operator==(const DriverAllocation&) const = default;
};

/// Bytes from an instant on.
struct BytesPoint {
    std::int64_t timeNs = 0;
    Bytes bytes = 0;

    bool operator==(const BytesPoint&) const = default;
};

/// What the driver's records of one device say, as curves. Counted are allocations of kind device and array that come
/// from no pool, what pools have taken of the device, and physical virtual memory (cuMemCreate), which stays until its
/// handle is released and nothing maps it any more. The records may be in any order.
class DriverMemory {
public:
    /// `segments`: the allocator's SegmentAlloc and SegmentMap events, others are passed over; for finding partners.
    DriverMemory(const DeviceRecords& records, std::uint32_t deviceId, std::span<const AllocatorEvent> segments);

    std::span<const DriverAllocation> allocations() const { return m_allocations; } ///< by begin
    std::span<const DriverAllocation> virtualMemory() const { return m_virtual; } ///< by begin

    Bytes deviceBytesAt(std::int64_t timeNs) const;
    Bytes poolBytesAt(std::int64_t timeNs) const;
    Bytes virtualBytesAt(std::int64_t timeNs) const;
    /// The three together, where they change. By time.
    std::span<const BytesPoint> total() const { return m_total; }
    /// The same from a time on. Of what was before, the last value alone, at that time.
    std::vector<BytesPoint> totalFrom(std::int64_t timeNs) const;

    /// Releases of what was allocated before the capture, and so was never counted as given out.
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
