// SPDX-License-Identifier: Apache-2.0
#include "core/memory/CpuMemory.h"

#include "core/tensor/Torch.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/support/Refusal.h"

#include <ATen/Parallel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>

namespace headroom::tensor {
namespace {

TEST(CpuMemoryTest, everyBirthAndDeathIsReportedOnce)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    std::mt19937 random(2);
    std::vector<at::Tensor> tensors;
    Bytes expected = 0;
    for (int i = 0; i < 500; ++i) {
        if (!tensors.empty() && random() % 3 == 0) {
            const std::size_t victim = random() % tensors.size();
            expected -= static_cast<Bytes>(tensors[victim].nbytes());
            tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(victim));
        } else {
            tensors.push_back(at::empty({1 + static_cast<std::int64_t>(random() % 1000)}, at::kFloat));
            expected += static_cast<Bytes>(tensors.back().nbytes());
        }
        ASSERT_EQ(backend->liveBytes(), expected);
    }
    tensors.clear();
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
}

TEST(CpuMemoryTest, theMemoryHoldsWhatIsWritten)
{
    const CpuMemory scope(std::make_shared<RecordingBackend>());
    const at::Tensor values = at::arange(1000, at::kDouble);
    EXPECT_EQ(values.clone().sum().item<double>(), 499500.0);
}

TEST(CpuMemoryTest, viewsKeepTheirStorageAliveAndTakeNone)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    at::Tensor base = at::zeros({8, 8}, at::kFloat);
    at::Tensor view = base.narrow(0, 2, 1).t();
    EXPECT_EQ(backend->births(), std::vector<Bytes>{256});
    base.reset();
    EXPECT_EQ(backend->liveBytes(), 256);
    view.reset();
    EXPECT_EQ(backend->liveBytes(), 0);
}

// The mean of bfloat16 is taken of a float32 copy that the kernel makes.
TEST(CpuMemoryTest, temporariesInsideKernelsAreSeen)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    const at::Tensor input = at::ones({1000}, at::kBFloat16);
    backend->restart();
    const Bytes before = backend->liveBytes();
    const at::Tensor mean = input.mean();
    EXPECT_THAT(backend->births(), testing::Contains(4000));
    EXPECT_GE(backend->peakBytes() - before, 4000);
    EXPECT_EQ(backend->liveBytes() - before, 2) << "only the result remains";
}

TEST(CpuMemoryTest, aResizedStorageIsBornAgain)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    at::Tensor tensor = at::zeros({4}, at::kFloat);
    tensor.resize_({400});
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{16, 1600}));
    EXPECT_EQ(backend->liveBytes(), 1600);
}

TEST(CpuMemoryTest, emptyStoragesAreIgnored)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    at::empty({0, 5}, at::kFloat);
    EXPECT_TRUE(backend->births().empty());
}

TEST(CpuMemoryTest, storagesMayOutliveTheScopeAndThenKeepTheirBackendAlive)
{
    auto backend = std::make_shared<RecordingBackend>();
    const std::weak_ptr<RecordingBackend> watch = backend;
    at::Tensor survivor;
    {
        const CpuMemory scope(backend);
        survivor = at::zeros({4}, at::kFloat);
    }
    const at::Tensor later = at::zeros({4}, at::kFloat);
    EXPECT_EQ(backend->births().size(), 1U) << "nothing is reported after the scope";
    backend.reset();
    ASSERT_FALSE(watch.expired());
    survivor.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(CpuMemoryTest, storagesFromBeforeAreNobodysAccount)
{
    at::Tensor early = at::zeros({100}, at::kFloat);
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    early.reset();
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
}

TEST(CpuMemoryTest, aRefusalPassesThroughOpsAndLeavesNothingBehind)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    const at::Tensor left = at::ones({4, 4}, at::kFloat);
    const Bytes before = backend->liveBytes();
    backend->setLimit(before + 63);
    EXPECT_THROW(at::mm(left, left), Refused);
    EXPECT_THROW(at::softmax(at::ones({4, 4}), -1), Refused);
    EXPECT_EQ(backend->liveBytes(), before);
    backend->setLimit(before + 64);
    EXPECT_EQ(at::mm(left, left)[0][0].item<float>(), 4.0F);
}

TEST(CpuMemoryTest, aRefusalPassesThroughTheBackwardPass)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    {
        at::Tensor weight = at::ones({16, 16}, at::kFloat).requires_grad_();
        at::Tensor loss = at::mm(weight, weight).sum();
        backend->setLimit(backend->liveBytes() + 8);
        EXPECT_THROW(loss.backward(), Refused);
    }
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(CpuMemoryTest, whatTheSystemRefusesIsNotAccountedFor)
{
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer ends the process where the system refuses memory";
#endif
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    const std::int64_t absurd = std::int64_t{1} << 50;
    const auto error = errorOf<HostMemoryExhausted>([&] { at::empty({absurd}, at::kByte); });
    ASSERT_TRUE(error) << "a petabyte was granted";
    EXPECT_EQ(error->requestedBytes(), absurd);
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(CpuMemoryTest, threadsAllocateSideBySideAndFreeEachOthersStorages)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    std::vector<std::vector<at::Tensor>> kept(4);
    std::vector<std::thread> threads;
    for (auto& tensors : kept)
        threads.emplace_back([&tensors] {
            for (int k = 1; k <= 500; ++k)
                tensors.push_back(at::empty({k}, at::kFloat));
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(backend->births().size(), 2000U);
    EXPECT_EQ(backend->liveBytes(), 4 * 4 * 500 * 501 / 2);
    kept.clear();
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
}

TEST(CpuMemoryTest, kernelsThatRunInParallelAreSeenAllTheSame)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    at::parallel_for(0, 64, 1, [](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            at::empty({1000}, at::kFloat);
    });
    EXPECT_EQ(backend->births(), std::vector<Bytes>(64, 4000));
    EXPECT_EQ(backend->liveBytes(), 0);
}

// oneDNN asks LibTorch's allocator for scratch. It is no tensor, and how much it is depends on the processor.
TEST(CpuMemoryTest, scratchOfReducedPrecisionProductsIsNotCounted)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const CpuMemory scope(backend);
    const torch::NoGradGuard noGradients;
    std::mt19937 random(3);
    for (int i = 0; i < 20; ++i) {
        const auto extent = [&] { return 1 + static_cast<std::int64_t>(random() % 300); };
        const std::int64_t m = extent(), k = extent(), n = extent();
        const at::Tensor left = at::ones({m, k}, at::kBFloat16);
        const at::Tensor right = at::ones({n, k}, at::kBFloat16);
        const at::Tensor bias = at::ones({n}, at::kBFloat16);
        backend->restart();
        const at::Tensor plain = at::mm(left, right.t());
        const at::Tensor biased = at::linear(left, right, bias);
        const at::Tensor activated = at::gelu(biased);
        EXPECT_EQ(backend->births(), std::vector<Bytes>(3, 2 * m * n)) << m << " x " << k << " x " << n;
    }
    EXPECT_EQ(backend->liveBytes(), 0);
}

} // namespace
} // namespace headroom::tensor
