// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/VirtualMemoryCalls.h"

#include <gtest/gtest.h>

namespace headroom::collectors::cupti {
namespace {

using Call = trace::VirtualMemoryRecord::Call;

template <typename Parameters>
std::optional<trace::VirtualMemoryRecord> told(CUpti_CallbackId callback, const Parameters& parameters,
    CUresult result = CUDA_SUCCESS, CUpti_ApiCallbackSite site = CUPTI_API_EXIT)
{
    CUpti_CallbackData data{};
    data.callbackSite = site;
    data.functionParams = &parameters;
    data.functionReturnValue = &result;
    return virtualMemoryCall(callback, data);
}

TEST(VirtualMemoryCallsTest, reservingTellsTheAddressThatWasGiven)
{
    CUdeviceptr given = 0x7000'0000'0000;
    const cuMemAddressReserve_params call{&given, 1ULL << 40, 0, 0, 0};
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve, call),
        (trace::VirtualMemoryRecord{.call = Call::Reserve, .address = given, .bytes = Bytes{1} << 40}));
}

TEST(VirtualMemoryCallsTest, creatingTellsHandleBytesAndDevice)
{
    CUmemGenericAllocationHandle handle = 77;
    CUmemAllocationProp properties{};
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 3};
    const cuMemCreate_params call{&handle, 20 << 20, &properties, 0};
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemCreate, call),
        (trace::VirtualMemoryRecord{.call = Call::Create, .bytes = 20 << 20, .handle = 77, .deviceId = 3}));
    properties.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 1}; // host memory is of no device
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemCreate, call)->deviceId, -1);
}

TEST(VirtualMemoryCallsTest, mappingUnmappingAndReleasingTellWhatTheyWereGiven)
{
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemMap, cuMemMap_params{0x1000, 4096, 0, 77, 0}),
        (trace::VirtualMemoryRecord{.call = Call::Map, .address = 0x1000, .bytes = 4096, .handle = 77}));
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, cuMemUnmap_params{0x1000, 4096}),
        (trace::VirtualMemoryRecord{.call = Call::Unmap, .address = 0x1000, .bytes = 4096}));
    EXPECT_EQ(told(CUPTI_DRIVER_TRACE_CBID_cuMemRelease, cuMemRelease_params{77}),
        (trace::VirtualMemoryRecord{.call = Call::Release, .handle = 77}));
}

TEST(VirtualMemoryCallsTest, whatFailedOrHasOnlyBegunIsNothing)
{
    const cuMemUnmap_params call{0x1000, 4096};
    EXPECT_FALSE(told(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, call, CUDA_ERROR_OUT_OF_MEMORY));
    EXPECT_FALSE(told(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, call, CUDA_SUCCESS, CUPTI_API_ENTER));
    EXPECT_FALSE(told(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, call));
    EXPECT_FALSE(virtualMemoryCall(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, CUpti_CallbackData{}));
}

} // namespace
} // namespace headroom::collectors::cupti
