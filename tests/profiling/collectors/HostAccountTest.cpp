// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/HostAccount.h"

#include "core/memory/CpuMemory.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace headroom::collectors::host_account_test {
namespace {

using HostKind = simulator::HostMemory;
using tensor::HostMemory;

const c10::Device kGpu(c10::DeviceType::CUDA, 0); // nothing here asks it

class HostAccountTest : public testing::Test {
protected:
    Bytes pageable() const { return account->pool().bytes(HostKind::Pageable).current; }
    Bytes peak() const { return account->pool().bytes(HostKind::Pageable).peak; }

    std::shared_ptr<HostAccount> account = std::make_shared<HostAccount>();
    std::optional<tensor::CpuMemory> scope{account};
};

TEST_F(HostAccountTest, whatAModelOfAGpuKeepsOnTheHostIsCounted)
{
    const at::Tensor other = at::ones({1000});
    EXPECT_EQ(pageable(), 0) << "other tensors of the CPU are not the model's";
    tensor::HostTensor kept = tensor::emptyOnHost({250}, at::kFloat, kGpu, HostMemory::Pageable);
    EXPECT_TRUE(kept.tensor.is_cpu());
    EXPECT_EQ(pageable(), 1000);
    const tensor::HostTensor second = tensor::emptyOnHost({3}, at::kDouble, kGpu, HostMemory::Pageable);
    kept = {};
    EXPECT_EQ(pageable(), 24);
    EXPECT_EQ(peak(), 1024);
    account->resetPeaks();
    EXPECT_EQ(peak(), 24);
}

// The arithmetic of a shadow on the host takes temporaries there.
TEST_F(HostAccountTest, temporariesWithinAHostScopeAreCountedToo)
{
    const at::Tensor values = at::ones({1000});
    {
        const tensor::HostMemoryScope host(HostMemory::Pageable);
        values.mul(0.5F).add(1.0F);
    }
    EXPECT_EQ(pageable(), 0);
    EXPECT_GE(peak(), 8000) << "product and sum";
}

TEST_F(HostAccountTest, whatCannotBePinnedIsCountedAsPageableWithTheReason)
{
    const tensor::PinnedAllocationScope refusing([](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor {
        TORCH_CHECK(false, "CUDA error: the limit of locked memory is reached\nCompile with TORCH_USE_CUDA_DSA");
    });
    const tensor::HostTensor kept = tensor::emptyOnHost({250}, at::kFloat, kGpu, HostMemory::Pinned);
    EXPECT_EQ(kept.kind, HostMemory::Pageable);
    EXPECT_EQ(kept.reason, "CUDA error: the limit of locked memory is reached");
    EXPECT_TRUE(kept.tensor.is_cpu());
    EXPECT_EQ(pageable(), 1000);
    EXPECT_EQ(account->pool().bytes(HostKind::Pinned).current, 0);
}

TEST_F(HostAccountTest, memoryMayOutliveTheAccountsScope)
{
    tensor::HostTensor kept = tensor::emptyOnHost({250}, at::kFloat, kGpu, HostMemory::Pageable);
    scope.reset();
    const tensor::HostTensor later = tensor::emptyOnHost({250}, at::kFloat, kGpu, HostMemory::Pageable);
    EXPECT_EQ(pageable(), 1000);
    kept = {};
    EXPECT_EQ(pageable(), 0);
}

TEST_F(HostAccountTest, threadsCountTogether)
{
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; ++index)
        threads.emplace_back([] {
            for (int round = 0; round < 200; ++round)
                tensor::emptyOnHost({10 + round}, at::kByte, kGpu, HostMemory::Pageable);
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(pageable(), 0);
    EXPECT_EQ(account->pool().allocations(HostKind::Pageable).allocated, 800);
}

} // namespace
} // namespace headroom::collectors::host_account_test
