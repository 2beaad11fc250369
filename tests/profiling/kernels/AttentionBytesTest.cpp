// SPDX-License-Identifier: Apache-2.0
// Sizes are what LibTorch 2.11 asked a rehearsed H100 for.
#include "profiling/kernels/MathAttention.h"
#include "tests/profiling/comparisons/RequestedBytes.h"

#include <gtest/gtest.h>

namespace headroom::collectors::attention_bytes_test {
namespace {

using Sizes = std::vector<Bytes>;

TEST(AttentionMaskTest, rowsThatAreNotInStepsOfEightArePadded)
{
    const auto padded = [](std::int64_t columns) {
        const auto mask = [=](const at::TensorOptions& options) {
            return at::empty({1, 4, columns, columns}, options);
        };
        return requestedByCall("h100-80gb", mask, [](const at::Tensor& given) { alignedMask(given); });
    };
    EXPECT_EQ(padded(72), Sizes{});
    EXPECT_EQ(padded(36), (Sizes{4 * 36 * 40 * 4}));
    EXPECT_EQ(padded(12), (Sizes{4 * 12 * 16 * 4}));
}

TEST(AttentionMaskTest, itsGradientHasRowsInStepsOfSixteen)
{
    const at::Tensor mask = at::empty({2, 4, 72, 72}, at::TensorOptions().device(at::kMeta));
    const at::Tensor gradient = gradientOfMask(mask);
    EXPECT_EQ(gradient.sizes(), mask.sizes());
    EXPECT_EQ(gradient.storage().nbytes(), 2U * 4 * 72 * 80 * 4);
}

TEST(CudnnAttentionTest, theResultLiesAsTheQueryDoes)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("h100-80gb"), std::nullopt);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
    const auto strides = [](const at::Tensor& heads) {
        return std::get<0>(at::_scaled_dot_product_cudnn_attention(
                               heads, heads, heads, std::nullopt, true, 0.0, false, false, std::nullopt))
            .strides()
            .vec();
    };
    EXPECT_EQ(strides(at::empty({2, 3, 40, 64}, options)), (std::vector<std::int64_t>{7680, 2560, 64, 1}));
    EXPECT_EQ(
        strides(at::empty({2, 40, 3, 64}, options).transpose(1, 2)), (std::vector<std::int64_t>{7680, 64, 192, 1}));
}

// A causal mask's two numbers and the mask, in the type in which it sums; the second result lives to the end.
TEST(MathAttentionBytesTest, aMasksNumbersAreOnTheDevice)
{
    const auto heads = [](const at::TensorOptions& options) { return at::empty({1, 4, 48, 4}, options); };
    const auto attend = [](const at::Tensor& q) {
        at::globalContext().setSDPUseFlash(false);
        at::globalContext().setSDPUseMemEfficient(false);
        at::globalContext().setSDPUseCuDNN(false);
        at::scaled_dot_product_attention(q, q, q, std::nullopt, 0.0, true);
        at::globalContext().setSDPUseFlash(true);
        at::globalContext().setSDPUseMemEfficient(true);
        at::globalContext().setSDPUseCuDNN(true);
    };
    Sizes requested = requestedByCall("h100-80gb", heads, attend);
    ASSERT_GE(requested.size(), 6U);
    requested.resize(6);
    EXPECT_EQ(requested, (Sizes{3072, 2304, 2304, 4, 4, 9216}));
}

} // namespace
} // namespace headroom::collectors::attention_bytes_test
