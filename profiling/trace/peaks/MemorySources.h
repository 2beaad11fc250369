// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DriverMemory.h"
#include "profiling/trace/MemoryCounters.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::trace {

/// What driver, allocator and device report for one device at one instant, and the differences between them. A value
/// whose source is missing is nullopt: never 0, never a guess.
struct MemorySources {
    std::int64_t timeNs = 0;
    // The driver (CUPTI).
    std::optional<Bytes> driverBytes{}; ///< allocations outside pools, plus pools
    std::optional<Bytes> virtualBytes{}; ///< physical memory behind virtual addresses (expandable segments)
    // The allocator of LibTorch.
    std::optional<Bytes> reservedBytes{};
    std::optional<Bytes> allocatedBytes{};
    // The device (NVML): the last sample up to this instant; shorter peaks are missed.
    std::optional<Bytes> processBytes{};
    std::optional<Bytes> usedBytes{}; ///< of the whole device, by anyone
    std::optional<Bytes> totalBytes{};
    std::optional<std::int64_t> sampleAgeNs{};
    // The differences.
    std::optional<Bytes> cachedBytes{}; ///< reserved - allocated: in the allocator's cache
    std::optional<Bytes> outsideTorchBytes{}; ///< driver + virtual - reserved: libraries with allocations of their own
    std::optional<Bytes> untrackedBytes{}; ///< process - driver - virtual: context, modules, local memory, CUPTI itself
    std::optional<Bytes> untrackedAtFirstBytes{}; ///< the same at the first sample: taken by the context
    std::optional<Bytes> headroomBytes{}; ///< total - used + what the allocator's cache could release
    /// The memory outside LibTorch by the shared object that requested it ("" if that was not recorded). Nullopt if the
    /// trace does not show all segments.
    std::optional<std::map<std::string, Bytes>> outsideBySource{};

    bool operator==(const MemorySources&) const = default;
};

/// Which sources beside the allocator were recorded.
struct RecordedSources {
    bool isDriverRecorded = false;
    bool isVirtualMemoryRecorded = false; ///< or known to be unused
};

/// A capture of the driver always leaves records; if it has no virtual-memory records and the allocator maps none,
/// there was no virtual memory.
RecordedSources recordedSources(const DeviceRecords& records, std::span<const AllocatorEvent> segments);

/// Combines the sources of one device. Formulas: docs/profiling.md.
class Reconciliation {
public:
    /// `segments`: SegmentAlloc and SegmentMap events of the allocator; `before`: its counters at their start.
    Reconciliation(const DeviceRecords& records, std::uint32_t deviceId, std::span<const AllocatorEvent> segments,
        const MemoryCounters& before);

    /// `counters`: the allocator's at that instant.
    MemorySources at(std::int64_t timeNs, const MemoryCounters& counters) const;
    const DriverMemory& driver() const { return m_driver; }
    bool isDriverRecorded() const { return m_recorded.isDriverRecorded; }
    /// The times at which driver or device report a new value, in order.
    std::vector<std::int64_t> instants() const;
    /// The driver had allocated memory before the capture began: its curve is a lower bound.
    bool isCaptureLate() const { return m_driver.releasesOfEarlier() > 0; }

private:
    void addDriver(MemorySources& sources) const;
    void addDevice(MemorySources& sources, const MemoryCounters& counters) const;
    void addSources(MemorySources& sources) const;
    std::optional<Bytes> untracked(const DeviceSample& sample) const;

    DriverMemory m_driver;
    RecordedSources m_recorded;
    std::vector<DeviceSample> m_samples; ///< by time
    bool m_showsAllSegments = false;
};

} // namespace headroom::trace
