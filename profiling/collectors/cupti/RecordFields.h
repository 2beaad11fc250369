// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <cupti.h>

namespace headroom::collectors::cupti {

// The structs that this version of CUPTI writes, under names that do not change with it. Where the fields that are read
// exist in an older struct, that one is named, so that older headers serve as well.
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

/// CUPTI's time stamps on the axis of a trace.
class StampAxis {
public:
    /// `origin`: the stamp at the trace's time 0.
    explicit StampAxis(std::uint64_t origin)
        : m_origin(origin)
    {
    }

    std::int64_t timeNs(std::uint64_t stamp) const { return static_cast<std::int64_t>(stamp - m_origin); }

private:
    std::uint64_t m_origin;
};

// One record each, strings copied. A span whose begin and end are both 0 was not timed and stays 0 to 0; one that had
// not ended is given no length.
trace::DeviceMemoryRecord recordOf(const MemoryActivity& activity, const StampAxis& axis);
trace::MemoryPoolRecord recordOf(const PoolActivity& activity, const StampAxis& axis);
trace::CopyRecord recordOf(const CopyActivity& activity, const StampAxis& axis);
trace::CopyRecord recordOf(const PeerCopyActivity& activity, const StampAxis& axis);
trace::MemsetRecord recordOf(const MemsetActivity& activity, const StampAxis& axis);
trace::KernelRecord recordOf(const KernelActivity& activity, const StampAxis& axis);
/// Without the name, which the library has to be asked for.
trace::ApiRecord recordOf(const ApiActivity& activity, const StampAxis& axis);
trace::OverheadRecord recordOf(const OverheadActivity& activity, const StampAxis& axis);
/// Of a mark or one side of a range; `endNs` is not set.
trace::MarkerRecord recordOf(const MarkerActivity& activity, const StampAxis& axis);

} // namespace headroom::collectors::cupti
