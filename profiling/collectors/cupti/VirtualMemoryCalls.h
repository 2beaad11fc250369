// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <cupti.h> // includes generated_cuda_meta.h, which may be included only once

#include <array>
#include <optional>

namespace headroom::collectors::cupti {

/// The driver's calls that reserve addresses, create physical memory, and map it to addresses. CUPTI has no activity
/// record for them, and LibTorch's expandable segments consist of nothing else.
inline constexpr std::array kVirtualMemoryCalls{CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve,
    CUPTI_DRIVER_TRACE_CBID_cuMemCreate, CUPTI_DRIVER_TRACE_CBID_cuMemRelease, CUPTI_DRIVER_TRACE_CBID_cuMemMap,
    CUPTI_DRIVER_TRACE_CBID_cuMemUnmap};

/// The record of such a call from the callback at its end, `timeNs` not set. Nullopt at its begin, for a call that
/// failed, and for any other call.
std::optional<trace::VirtualMemoryRecord> virtualMemoryCall(CUpti_CallbackId callback, const CUpti_CallbackData& data);

} // namespace headroom::collectors::cupti
