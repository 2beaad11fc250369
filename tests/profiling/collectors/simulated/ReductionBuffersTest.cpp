// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/ReductionBuffers.h"

#include "tests/profiling/comparisons/RequestedBytes.h"

#include <gtest/gtest.h>

namespace headroom::collectors::reduction_buffers_test {
namespace {

using Sizes = std::vector<Bytes>;

// 2,048 rows of 1,024: 512 values a thread, 32 blocks, 128 outputs of 4 bytes in each of them; eight groups of outputs.
constexpr Bytes kBuffer = Bytes{4} * 1024 * 32 * 128, kSemaphores = 32;

template <typename Call> Sizes requestedOf(const std::string& device, at::ScalarType type, Call call)
{
    return requestedByCall(
        device, [=](const at::TensorOptions& options) { return at::empty({4, 512, 1024}, options.dtype(type)); }, call);
}

TEST(ReductionBuffersTest, aSumOverLeadingDimensionsTakesABufferWhenItsResultIsThere)
{
    const auto sum = [](const at::Tensor& rows) { rows.sum(at::IntArrayRef{0, 1}); };
    EXPECT_EQ(requestedOf("a100-80gb", at::kFloat, sum), (Sizes{4096, kBuffer, kSemaphores}));
    EXPECT_EQ(requestedOf("a100-80gb", at::kBFloat16, sum), (Sizes{2048, kBuffer, kSemaphores})) << "sums are float32";
    EXPECT_EQ(requestedOf("cpu", at::kFloat, sum), (Sizes{4096}));
}

TEST(ReductionBuffersTest, whatWasTakenIsGivenBack)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("a100-80gb"), std::nullopt);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    const at::Tensor rows = at::empty({4, 512, 1024}, options);
    const at::Tensor sum = rows.sum(at::IntArrayRef{0, 1});
    EXPECT_EQ(instruments.current().allocated, 8 * kMiB + 4096);
    EXPECT_EQ(instruments.peak().allocated, 8 * kMiB + 4096 + kBuffer + 512);
}

TEST(ReductionBuffersTest, rowsThatAreSummedUpThemselvesTakeNone)
{
    const auto sum = [](const at::Tensor& rows) { rows.sum(-1); };
    EXPECT_EQ(requestedOf("a100-80gb", at::kFloat, sum), (Sizes{8192}));
}

TEST(ReductionBuffersTest, otherReductionsKeepWhatTheyCompareOrCount)
{
    const auto requested = [](auto reduction, at::ScalarType type = at::kFloat) {
        return requestedOf("a100-80gb", type, reduction);
    };
    EXPECT_EQ(
        requested([](const at::Tensor& t) { t.mean(at::IntArrayRef{0, 1}); }), (Sizes{4096, kBuffer, kSemaphores}));
    EXPECT_EQ(requested([](const at::Tensor& t) { at::linalg_vector_norm(t, 2, at::IntArrayRef{0, 1}); }),
        (Sizes{4096, kBuffer, kSemaphores}));
    EXPECT_EQ(requested([](const at::Tensor& t) { t.amax(at::IntArrayRef{0, 1}); }, at::kBFloat16),
        (Sizes{2048, kBuffer / 2, kSemaphores}))
        << "a maximum is no wider than its elements";
    EXPECT_EQ(
        requested([](const at::Tensor& t) { t.flatten(0, 1).max(0); }), (Sizes{4096, 8192, kBuffer * 4, kSemaphores}))
        << "pairs of value and place";
}

// ReduceOpsUtils.h, make_reduction: flags are copied as the 64-bit numbers that they are summed as.
TEST(ReductionBuffersTest, whatIsSummedInAnotherTypeIsCopiedFirst)
{
    const auto sum = [](const at::Tensor& rows) { rows.sum(at::IntArrayRef{0, 1}); };
    EXPECT_EQ(requestedOf("a100-80gb", at::kBool, sum), (Sizes{8192, 16 * kMiB, 2 * kBuffer, kSemaphores}));
}

TEST(ReductionBuffersTest, aDeviceThatRunsFewerThreadsSplitsLess)
{
    // 40 multiprocessors of 1,024 threads run 8 blocks of 128 each: 320 for eight groups of outputs, of which 32 are
    // asked.
    const auto sum = [](const at::Tensor& rows) { rows.expand({16, 4, 512, 1024}).reshape({-1, 1024}).sum(0); };
    const auto last = [&](const std::string& device) { return requestedOf(device, at::kFloat, sum).at(2); };
    EXPECT_EQ(last("t4"), Bytes{4} * 1024 * 40 * 128) << "320 / 8";
    EXPECT_EQ(last("a100-80gb"), Bytes{4} * 1024 * 216 * 128) << "1728 / 8";
}

} // namespace
} // namespace headroom::collectors::reduction_buffers_test
