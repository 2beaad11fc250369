// SPDX-License-Identifier: Apache-2.0
#include "core/memory/HostMemory.h"

#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "tests/core/memory/HostRecordingBackend.h"

#include <gtest/gtest.h>

#include <thread>

namespace headroom::tensor {
namespace {

template <typename Memory> void expectHostMemoryOnItsOwnAccount(c10::Device device)
{
    const auto backend = std::make_shared<HostRecordingBackend>();
    const Memory scope(backend);
    const at::Tensor onDevice = at::empty({3}, at::TensorOptions().dtype(at::kFloat).device(device));
    HostTensor pinned = emptyOnHost({2, 5}, at::kHalf, device, HostMemory::Pinned);
    HostTensor pageable = emptyOnHost({7}, at::kDouble, device, HostMemory::Pageable);
    EXPECT_EQ(pinned.kind, HostMemory::Pinned);
    EXPECT_EQ(pageable.kind, HostMemory::Pageable);
    EXPECT_EQ(pinned.reason, "");
    EXPECT_EQ(pinned.tensor.device(), device);
    EXPECT_EQ(backend->device.liveBytes(), 12);
    EXPECT_EQ(backend->pinned.liveBytes(), 20);
    EXPECT_EQ(backend->pageable.liveBytes(), 56);
    // Freed where they were allocated, whatever scope is open then.
    const HostMemoryScope other(HostMemory::Pageable);
    pinned = {};
    EXPECT_EQ(backend->pinned.liveBytes(), 0);
    EXPECT_EQ(backend->pageable.liveBytes(), 56);
    EXPECT_EQ(backend->pinned.unknownDeaths() + backend->pageable.unknownDeaths() + backend->device.unknownDeaths(), 0);
}

TEST(HostMemoryTest, isAccountedForApartOnTheCpu)
{
    expectHostMemoryOnItsOwnAccount<CpuMemory>(at::kCPU);
}

TEST(HostMemoryTest, isAccountedForApartOnSimulatedDevices)
{
    expectHostMemoryOnItsOwnAccount<MetaMemory>(at::kMeta);
}

TEST(HostMemoryTest, scopesNestAndAreTheirThreadsOwn)
{
    EXPECT_EQ(HostMemoryScope::current(), nullptr);
    const HostMemoryScope outer(HostMemory::Pinned);
    {
        const HostMemoryScope inner(HostMemory::Pageable);
        EXPECT_EQ(*HostMemoryScope::current(), HostMemory::Pageable);
        std::thread([] { EXPECT_EQ(HostMemoryScope::current(), nullptr); }).join();
    }
    EXPECT_EQ(*HostMemoryScope::current(), HostMemory::Pinned);
}

TEST(HostMemoryTest, aBackendWithoutAHostAccountTakesItAsTheDevices)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    const HostTensor host = emptyOnHost({4}, at::kFloat, at::kCPU, HostMemory::Pinned);
    EXPECT_EQ(backend->liveBytes(), 16);
}

TEST(HostMemoryTest, whereNothingCanBePinnedItIsPageableAndSaysWhy)
{
    const auto backend = std::make_shared<HostRecordingBackend>();
    const CpuMemory scope(backend);
    const PinnedAllocationScope refusing([](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor {
        TORCH_CHECK(false, "CUDA error: the limit of locked memory is reached\nCompile with TORCH_USE_CUDA_DSA");
    });
    const HostTensor host = emptyOnHost({4}, at::kFloat, at::kCPU, HostMemory::Pinned);
    EXPECT_EQ(host.kind, HostMemory::Pageable);
    EXPECT_EQ(host.reason, "CUDA error: the limit of locked memory is reached");
    EXPECT_EQ(host.tensor.sizes(), at::IntArrayRef({4}));
    EXPECT_EQ(backend->pageable.liveBytes(), 16);
    EXPECT_EQ(backend->pinned.liveBytes(), 0);
    EXPECT_EQ(emptyOnHost({4}, at::kFloat, at::kCPU, HostMemory::Pageable).reason, "");
}

} // namespace
} // namespace headroom::tensor
