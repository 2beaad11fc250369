// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <array>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace headroom::rehearsal::tests {
namespace {

constexpr std::size_t kPiece = 20 * kMebibyte;

class VirtualMemory : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
        m_before = freeBytes();
        ASSERT_EQ(cuMemAddressReserve(&m_address, 10 * kPiece, 0, 0, 0), CUDA_SUCCESS);
    }
    void TearDown() override
    {
        EXPECT_EQ(cuMemAddressFree(m_address, 10 * kPiece), CUDA_SUCCESS);
        EXPECT_EQ(freeBytes(), m_before);
    }

    static CUmemGenericAllocationHandle physical()
    {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        CUmemGenericAllocationHandle handle = 0;
        EXPECT_EQ(cuMemCreate(&handle, kPiece, &properties, 0), CUDA_SUCCESS);
        return handle;
    }

    CUdeviceptr m_address = 0;
    std::size_t m_before = 0;
};

TEST_F(VirtualMemory, isCountedFromItsMakingUntilNothingHoldsIt)
{
    EXPECT_EQ(freeBytes(), m_before) << "addresses are free";
    const auto handle = physical();
    EXPECT_EQ(freeBytes(), m_before - kPiece);
    ASSERT_EQ(cuMemMap(m_address, kPiece, 0, handle, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    EXPECT_EQ(freeBytes(), m_before - kPiece) << "the mapping holds it";
    ASSERT_EQ(cuMemUnmap(m_address, kPiece), CUDA_SUCCESS);
    EXPECT_EQ(freeBytes(), m_before);
}

TEST_F(VirtualMemory, refusesWhatIsNotThere)
{
    const auto handle = physical();
    EXPECT_EQ(cuMemMap(m_address + 1000 * kPiece, kPiece, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemMap(m_address, kPiece, 0, handle, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(m_address, kPiece, 0, handle, 0), CUDA_ERROR_INVALID_VALUE) << "it is mapped";
    EXPECT_EQ(cuMemUnmap(m_address, kPiece / 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(m_address, 10 * kPiece), CUDA_ERROR_INVALID_VALUE) << "something is mapped";
    EXPECT_EQ(cudaFree(reinterpret_cast<void*>(m_address)), cudaErrorInvalidValue);
    ASSERT_EQ(cuMemUnmap(m_address, kPiece), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
    cudaGetLastError();
}

TEST_F(VirtualMemory, carriesValuesAcrossPieces)
{
    for (int i = 0; i < 2; ++i) {
        const auto handle = physical();
        ASSERT_EQ(cuMemMap(m_address + static_cast<std::size_t>(i) * kPiece, kPiece, 0, handle, 0), CUDA_SUCCESS);
        ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    }
    const std::array<int, 4> values{1, 2, 3, 4};
    auto* atTheBorder = reinterpret_cast<void*>(m_address + kPiece - 8);
    ASSERT_EQ(cudaMemcpy(atTheBorder, values.data(), sizeof values, cudaMemcpyHostToDevice), cudaSuccess);
    std::array<int, 4> read{};
    ASSERT_EQ(cudaMemcpy(read.data(), atTheBorder, sizeof read, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(read, values);
    ASSERT_EQ(cuMemUnmap(m_address, 2 * kPiece), CUDA_SUCCESS);
}

} // namespace
} // namespace headroom::rehearsal::tests
