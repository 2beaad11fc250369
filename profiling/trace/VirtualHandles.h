// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/DriverAllocation.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace headroom::trace {

/// Follows handles of virtual memory (cuMemCreate and so on) in order of time. A handle that is released keeps its
/// memory while it is mapped anywhere; reserved addresses are no memory.
class VirtualHandles {
public:
    void apply(const VirtualMemoryRecord& record);
    /// The memory of one device, by begin; a handle that says no device is on each.
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

} // namespace headroom::trace
