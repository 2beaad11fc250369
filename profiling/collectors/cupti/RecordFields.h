// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <cupti.h>

namespace headroom::collectors::cupti {

// The structs that this version of CUPTI writes, under names that do not change with the version. Where an older struct
// already has all the fields that are read, it is named, so that older headers work too.
using MemoryActivity = CUpti_ActivityMemory4;
using PoolActivity = CUpti_ActivityMemoryPool2;
using CopyActivity = CUpti_ActivityMemcpy6;
using PeerCopyActivity = CUpti_ActivityMemcpyPtoP4;
using MemsetActivity = CUpti_ActivityMemset4;
using KernelActivity = CUpti_ActivityKernel9;
using ApiActivity = CUpti_ActivityAPI;
using OverheadActivity = CUpti_ActivityOverhead3;
using MarkerActivity = CUpti_ActivityMarker2;
using DeviceActivity = CUpti_ActivityDevice5;

/// Converts CUPTI's timestamps to the time axis of a trace.
class StampAxis {
public:
    /// `origin`: the timestamp at time 0 of the trace.
    explicit StampAxis(std::uint64_t origin)
        : m_origin(origin)
    {
    }

    std::int64_t timeNs(std::uint64_t stamp) const { return static_cast<std::int64_t>(stamp - m_origin); }

private:
    std::uint64_t m_origin;
};

// Each converts one record and copies its strings. A span with begin and end 0 was not timed and keeps both at 0; a
// span that had not ended gets no length.
trace::DeviceMemoryRecord recordOf(const MemoryActivity& activity, const StampAxis& axis);
trace::MemoryPoolRecord recordOf(const PoolActivity& activity, const StampAxis& axis);
trace::CopyRecord recordOf(const CopyActivity& activity, const StampAxis& axis);
trace::CopyRecord recordOf(const PeerCopyActivity& activity, const StampAxis& axis);
trace::MemsetRecord recordOf(const MemsetActivity& activity, const StampAxis& axis);
trace::KernelRecord recordOf(const KernelActivity& activity, const StampAxis& axis);
/// Without the name, which has to be queried from the library.
trace::ApiRecord recordOf(const ApiActivity& activity, const StampAxis& axis);
trace::OverheadRecord recordOf(const OverheadActivity& activity, const StampAxis& axis);
/// For an instantaneous marker or one end of a range; `endNs` is not set.
trace::MarkerRecord recordOf(const MarkerActivity& activity, const StampAxis& axis);

} // namespace headroom::collectors::cupti
