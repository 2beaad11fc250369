// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/VirtualMemoryCalls.h"

namespace headroom::collectors::cupti {
namespace {

using Call = trace::VirtualMemoryRecord::Call;

bool hasSucceeded(const CUpti_CallbackData& data)
{
    return data.callbackSite == CUPTI_API_EXIT && data.functionParams != nullptr && data.functionReturnValue != nullptr
        && *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
}

Bytes callBytes(std::size_t bytes)
{
    return static_cast<Bytes>(bytes);
}

trace::VirtualMemoryRecord recordOf(const cuMemAddressReserve_params& call)
{
    return {.call = Call::Reserve, .address = call.ptr == nullptr ? 0 : *call.ptr, .bytes = callBytes(call.size)};
}

trace::VirtualMemoryRecord recordOf(const cuMemCreate_params& call)
{
    const bool isOnDevice = call.prop != nullptr && call.prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
    return {.call = Call::Create,
        .bytes = callBytes(call.size),
        .handle = call.handle == nullptr ? 0 : *call.handle,
        .deviceId = isOnDevice ? call.prop->location.id : -1};
}

trace::VirtualMemoryRecord recordOf(const cuMemMap_params& call)
{
    return {.call = Call::Map, .address = call.ptr, .bytes = callBytes(call.size), .handle = call.handle};
}

trace::VirtualMemoryRecord recordOf(const cuMemUnmap_params& call)
{
    return {.call = Call::Unmap, .address = call.ptr, .bytes = callBytes(call.size)};
}

trace::VirtualMemoryRecord recordOf(const cuMemRelease_params& call)
{
    return {.call = Call::Release, .handle = call.handle};
}

template <typename Parameters> trace::VirtualMemoryRecord recordFrom(const CUpti_CallbackData& data)
{
    return recordOf(*static_cast<const Parameters*>(data.functionParams));
}

} // namespace

std::optional<trace::VirtualMemoryRecord> virtualMemoryCall(CUpti_CallbackId callback, const CUpti_CallbackData& data)
{
    if (!hasSucceeded(data))
        return std::nullopt;
    switch (callback) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve:
        return recordFrom<cuMemAddressReserve_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemCreate:
        return recordFrom<cuMemCreate_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemMap:
        return recordFrom<cuMemMap_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemUnmap:
        return recordFrom<cuMemUnmap_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemRelease:
        return recordFrom<cuMemRelease_params>(data);
    default:
        return std::nullopt;
    }
}

} // namespace headroom::collectors::cupti
