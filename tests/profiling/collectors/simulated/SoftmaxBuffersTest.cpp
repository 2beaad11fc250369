// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SoftmaxBuffers.h"

#include "tests/profiling/comparisons/RequestedBytes.h"

#include <gtest/gtest.h>

namespace headroom::collectors::softmax_buffers_test {
namespace {

using Sizes = std::vector<Bytes>;

constexpr Bytes kBytes = Bytes{3} * 5 * 7 * 4;

Sizes requestedFrom(const std::string& device, bool isStrided, at::ScalarType inputType)
{
    const auto rows = [=](const at::TensorOptions& options) {
        const at::Tensor dense = at::empty({3, 5, 7}, options);
        return isStrided ? dense.transpose(0, 1) : dense;
    };
    return requestedByCall(device, rows, [=](const at::Tensor& t) { at::_softmax_backward_data(t, t, -1, inputType); });
}

// What LibTorch 2.4, 2.6 and 2.11 asked a rehearsed H100 for.
TEST(SoftmaxBuffersTest, theProductOfGradientAndOutputLivesBesideTheResult)
{
    EXPECT_EQ(requestedFrom("h100-80gb", false, at::kFloat), (Sizes{kBytes, kBytes}));
    EXPECT_EQ(requestedFrom("h100-80gb", false, at::kHalf), (Sizes{kBytes / 2, kBytes}));
    EXPECT_EQ(requestedFrom("h100-80gb", true, at::kFloat), (Sizes{kBytes, kBytes, kBytes, kBytes}));
    EXPECT_EQ(requestedFrom("cpu", false, at::kFloat), (Sizes{kBytes}));
}

TEST(SoftmaxBuffersTest, itIsGivenBack)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("h100-80gb"), std::nullopt);
    const at::Tensor rows = at::empty({1024, 1024}, at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
    const at::Tensor gradient = at::_softmax_backward_data(rows, rows, -1, at::kFloat);
    EXPECT_EQ(instruments.current().allocated, 8 * kMiB);
    EXPECT_EQ(instruments.peak().allocated, 12 * kMiB);
}

TEST(SoftmaxBuffersTest, logarithmsTakeNone)
{
    const auto rows = [](const at::TensorOptions& options) { return at::empty({3, 5, 7}, options); };
    const auto backward = [](const at::Tensor& t) { at::_log_softmax_backward_data(t, t, -1, at::kFloat); };
    EXPECT_EQ(requestedByCall("h100-80gb", rows, backward), (Sizes{kBytes}));
}

} // namespace
} // namespace headroom::collectors::softmax_buffers_test
