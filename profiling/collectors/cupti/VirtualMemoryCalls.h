// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <cupti.h> // brings generated_cuda_meta.h, which may be included once only

#include <array>
#include <optional>

namespace headroom::collectors::cupti {

/// The driver's calls that reserve addresses, make physical memory, and map one into the other. CUPTI has no activity
/// record for them; LibTorch's expandable segments are made of nothing else.
inline constexpr std::array kVirtualMemoryCalls{CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve,
    CUPTI_DRIVER_TRACE_CBID_cuMemCreate, CUPTI_DRIVER_TRACE_CBID_cuMemRelease, CUPTI_DRIVER_TRACE_CBID_cuMemMap,
    CUPTI_DRIVER_TRACE_CBID_cuMemUnmap};

/// What a callback at the end of such a call tells, `timeNs` not set. Nothing at its begin, for a call that failed, and
/// for any other call.
std::optional<trace::VirtualMemoryRecord> virtualMemoryCall(CUpti_CallbackId callback, const CUpti_CallbackData& data);

} // namespace headroom::collectors::cupti
