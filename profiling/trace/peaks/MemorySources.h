// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DriverMemory.h"
#include "profiling/trace/MemoryCounters.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::trace {

/// What the three witnesses say of one device at one instant, and what is left between them. Nothing where a witness is
/// missing: never 0, never a guess.
struct MemorySources {
    std::int64_t timeNs = 0;
    // The driver (CUPTI).
    std::optional<Bytes> driverBytes{}; ///< allocations outside of pools, and pools
    std::optional<Bytes> virtualBytes{}; ///< physical memory behind virtual addresses (expandable segments)
    // The allocator of LibTorch.
    std::optional<Bytes> reservedBytes{};
    std::optional<Bytes> allocatedBytes{};
    // The device (NVML): the last sample up to the instant; shorter peaks are missed.
    std::optional<Bytes> processBytes{};
    std::optional<Bytes> usedBytes{}; ///< of the whole device, by anyone
    std::optional<Bytes> totalBytes{};
    std::optional<std::int64_t> sampleAgeNs{};
    // What is left.
    std::optional<Bytes> cachedBytes{}; ///< reserved - allocated: in the allocator's cache
    std::optional<Bytes> outsideTorchBytes{}; ///< driver + virtual - reserved: libraries that allocate for themselves
    std::optional<Bytes> untrackedBytes{}; ///< process - driver - virtual: context, modules, local memory, CUPTI itself
    std::optional<Bytes> untrackedAtFirstBytes{}; ///< the same at the first sample: what the context took
    std::optional<Bytes> headroomBytes{}; ///< total - used + what the allocator's cache could give
    /// What is outside of LibTorch by the shared object that asked for it ("" where that is not recorded). Nothing
    /// where the trace does not show all segments.
    std::optional<std::map<std::string, Bytes>> outsideBySource{};

    bool operator==(const MemorySources&) const = default;
};

/// What witnesses there are beside the allocator.
struct RecordedSources {
    bool isDriverRecorded = false;
    bool isVirtualMemoryRecorded = false; ///< or known to be unused
};

/// A capture of the driver that ran leaves records; virtual memory that was not recorded is none where the allocator
/// maps none.
RecordedSources recordedSources(const DeviceRecords& records, std::span<const AllocatorEvent> segments);

/// Joins the witnesses of one device. Formulas: docs/profiling.md.
class Reconciliation {
public:
    /// `segments`: SegmentAlloc and SegmentMap events of the allocator; `before`: its counters at their start.
    Reconciliation(const DeviceRecords& records, std::uint32_t deviceId, std::span<const AllocatorEvent> segments,
        const MemoryCounters& before);

    /// `counters`: the allocator's at that instant.
    MemorySources at(std::int64_t timeNs, const MemoryCounters& counters) const;
    const DriverMemory& driver() const { return m_driver; }
    bool isDriverRecorded() const { return m_recorded.isDriverRecorded; }
    /// Instants at which the driver or the device says something new, by time.
    std::vector<std::int64_t> instants() const;
    /// The driver gave out memory before anyone recorded it: its curve is a lower bound.
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
