// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MetaMemory.h"

#include "core/tensor/Torch.h"
#include "tests/core/memory/RecordingBackend.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace headroom::tensor {
namespace {

const at::TensorOptions kFloatOnMeta = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);

TEST(MetaMemoryTest, everyBirthAndDeathIsReportedOnce)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    std::mt19937 random(1);
    std::vector<at::Tensor> tensors;
    Bytes expected = 0;
    for (int i = 0; i < 500; ++i) {
        if (!tensors.empty() && random() % 3 == 0) {
            const std::size_t victim = random() % tensors.size();
            expected -= static_cast<Bytes>(tensors[victim].nbytes());
            tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(victim));
        } else {
            tensors.push_back(at::empty({1 + static_cast<std::int64_t>(random() % 1000)}, kFloatOnMeta));
            expected += static_cast<Bytes>(tensors.back().nbytes());
        }
        ASSERT_EQ(backend->liveBytes(), expected);
        ASSERT_EQ(backend->liveBlocks(), tensors.size());
    }
    tensors.clear();
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
}

TEST(MetaMemoryTest, bytesAreThoseOfTheDtype)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    const at::Tensor half = at::empty({10, 3}, kFloatOnMeta.dtype(at::kBFloat16));
    const at::Tensor full = half.to(at::kDouble);
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{60, 240}));
}

TEST(MetaMemoryTest, whatAnOpResizesIsAccountedFor)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    at::Tensor grown = at::empty({0}, kFloatOnMeta);
    grown.resize_({10, 3});
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{120}));
    grown.resize_({4});
    EXPECT_EQ(backend->births().size(), 1U) << "a storage does not shrink";
    grown.resize_({100});
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{120, 400}));
    EXPECT_EQ(backend->peakBytes(), 520) << "the new bytes are there before the old ones go";
    EXPECT_EQ(backend->liveBytes(), 400);
    grown.reset();
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
}

// aten/src/ATen/native/TensorFactories.cpp makes an empty result and resizes it; out variants resize what they are
// given.
TEST(MetaMemoryTest, opsThatResizeTheirResultTakeItsBytes)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    const at::Tensor places = at::arange(1000, kFloatOnMeta.dtype(at::kLong));
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{8000}));
    EXPECT_EQ(backend->liveBytes(), 8000);
    at::Tensor out = at::empty({0}, kFloatOnMeta);
    const at::Tensor column = at::empty({6, 1}, kFloatOnMeta);
    const at::Tensor row = at::empty({1, 7}, kFloatOnMeta);
    at::mul_out(out, column, row);
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{8000, 24, 28, 168}));
}

TEST(MetaMemoryTest, aTensorFromOutsideTheScopeIsAccountedForOnceItIsResizedInside)
{
    at::Tensor early = at::empty({8}, kFloatOnMeta);
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    early.resize_({8});
    EXPECT_TRUE(backend->births().empty()) << "nothing was resized";
    early.resize_({16});
    EXPECT_EQ(backend->births(), (std::vector<Bytes>{64}));
    early.reset();
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(MetaMemoryTest, viewsKeepTheirStorageAliveAndTakeNone)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    at::Tensor base = at::empty({8, 8}, kFloatOnMeta);
    at::Tensor view = base.narrow(0, 2, 1).t().view({8});
    EXPECT_EQ(backend->births().size(), 1U);
    base.reset();
    EXPECT_EQ(backend->liveBytes(), 256);
    view.reset();
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(MetaMemoryTest, emptyStoragesAreIgnored)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    at::empty({0, 5}, kFloatOnMeta);
    EXPECT_TRUE(backend->births().empty());
}

TEST(MetaMemoryTest, storagesMayOutliveTheScopeAndThenKeepTheirBackendAlive)
{
    auto backend = std::make_shared<RecordingBackend>();
    const std::weak_ptr<RecordingBackend> watch = backend;
    at::Tensor survivor;
    {
        const MetaMemory scope(backend);
        survivor = at::empty({4}, kFloatOnMeta);
    }
    const at::Tensor later = at::empty({4}, kFloatOnMeta);
    EXPECT_EQ(backend->births().size(), 1U) << "nothing is reported after the scope";
    backend.reset();
    ASSERT_FALSE(watch.expired());
    EXPECT_EQ(watch.lock()->liveBytes(), 16);
    survivor.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(MetaMemoryTest, aSecondScopeHasItsOwnAccount)
{
    const auto first = std::make_shared<RecordingBackend>();
    const auto second = std::make_shared<RecordingBackend>();
    at::Tensor early;
    {
        const MetaMemory scope(first);
        early = at::empty({4}, kFloatOnMeta);
    }
    const MetaMemory scope(second);
    const at::Tensor late = at::empty({8}, kFloatOnMeta);
    early.reset();
    EXPECT_EQ(first->liveBytes(), 0);
    EXPECT_EQ(second->liveBytes(), 32);
    EXPECT_EQ(second->unknownDeaths(), 0);
}

TEST(MetaMemoryTest, aRefusalPassesThroughOpsAndLeavesNothingBehind)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    const at::Tensor left = at::empty({4, 4}, kFloatOnMeta);
    const Bytes before = backend->liveBytes();
    backend->setLimit(before + 63);
    EXPECT_THROW(at::mm(left, left), Refused);
    EXPECT_EQ(backend->liveBytes(), before);
    backend->setLimit(before + 64);
    EXPECT_NO_THROW(at::mm(left, left));
}

TEST(MetaMemoryTest, aRefusalPassesThroughTheBackwardPass)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    {
        at::Tensor weight = at::empty({16, 16}, kFloatOnMeta).requires_grad_();
        at::Tensor loss = at::mm(weight, weight).sum();
        backend->setLimit(backend->liveBytes() + 8);
        EXPECT_THROW(loss.backward(), Refused);
    }
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(MetaMemoryTest, threadsAllocateSideBySide)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([] {
            for (int k = 1; k <= 500; ++k)
                at::empty({k}, kFloatOnMeta);
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(backend->births().size(), 2000U);
    EXPECT_EQ(backend->liveBytes(), 0);
}

TEST(MetaMemoryTest, anMlpHoldsWhatCountingByHandGives)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    at::Tensor first = at::empty({32, 8}, kFloatOnMeta).requires_grad_();
    at::Tensor second = at::empty({8, 32}, kFloatOnMeta).requires_grad_();
    const at::Tensor input = at::empty({5, 8}, kFloatOnMeta);
    const Bytes weights = 2 * 32 * 8 * 4;
    EXPECT_EQ(backend->liveBytes(), weights + 5 * 8 * 4);
    at::Tensor loss = at::linear(at::gelu(at::linear(input, first)), second).mean();
    // Saved: the projection and the activation [5, 32]; the scalar is kept by `loss`. The output [5, 8] is not needed.
    EXPECT_EQ(backend->liveBytes(), weights + 5 * 8 * 4 + 2 * 5 * 32 * 4 + 4);
    loss.backward();
    loss.reset();
    EXPECT_EQ(backend->liveBytes(), 2 * weights + 5 * 8 * 4) << "the gradients remain";
}

} // namespace
} // namespace headroom::tensor
