// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/SavedTensorCounter.h"

#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::tensor::saved_tensor_counter_test {
namespace {

at::Tensor leaf(at::IntArrayRef sizes)
{
    return at::randn(sizes, onTestDevice(at::kDouble)).requires_grad_(true);
}

TEST(SavedTensorCounterTest, countsEachStorageOnce)
{
    SavedTensorCounter counter;
    const SavedTensorHookScope scope(counter);
    const at::Tensor x = leaf({4, 8});
    const at::Tensor y = x * x; // saves x twice
    EXPECT_EQ(counter.heldBytes({}), 4 * 8 * 8);
    EXPECT_EQ(counter.heldBytes({x}), 0);
}

TEST(SavedTensorCounterTest, viewsCountAsTheirStorage)
{
    SavedTensorCounter counter;
    const SavedTensorHookScope scope(counter);
    const at::Tensor weight = leaf({8, 8});
    const at::Tensor input = leaf({4, 8});
    const at::Tensor output = at::mm(input, weight.t());
    EXPECT_EQ(counter.heldBytes({weight}), 4 * 8 * 8);
    EXPECT_EQ(counter.heldBytes({weight, input}), 0);
}

TEST(SavedTensorCounterTest, forgetsWhatTheGraphForgets)
{
    SavedTensorCounter counter;
    {
        const SavedTensorHookScope scope(counter);
        const at::Tensor loss = at::gelu(leaf({4, 8})).sum();
        EXPECT_EQ(counter.heldBytes({}), 4 * 8 * 8);
    }
    EXPECT_EQ(counter.heldBytes({}), 0);
}

// exp saves its own output: hooks that held it with its graph would keep both for ever.
TEST(SavedTensorCounterTest, savedOutputsDoNotKeepTheirGraph)
{
    SavedTensorCounter counter;
    {
        const SavedTensorHookScope scope(counter);
        const at::Tensor output = leaf({4, 8}).exp();
        EXPECT_EQ(counter.heldBytes({}), 4 * 8 * 8);
    }
    EXPECT_EQ(counter.heldBytes({}), 0);
}

TEST(SavedTensorCounterTest, leavesGradientsAsTheyAre)
{
    const at::Tensor x = leaf({16, 8});
    at::sigmoid(at::silu(x)).square().mean().backward();
    const at::Tensor plain = x.grad().clone();
    x.mutable_grad() = at::Tensor();
    SavedTensorCounter counter;
    const SavedTensorHookScope scope(counter);
    at::sigmoid(at::silu(x)).square().mean().backward();
    EXPECT_TRUE(sameNumbers(plain, x.grad()));
    EXPECT_EQ(counter.heldBytes({}), 0);
}

TEST(SavedTensorHookScopeTest, theInnermostSourceIsAsked)
{
    SavedTensorCounter outer;
    SavedTensorCounter inner;
    const SavedTensorHookScope outerScope(outer);
    at::Tensor kept;
    {
        const SavedTensorHookScope innerScope(inner);
        kept = leaf({2, 2}).exp();
    }
    const at::Tensor other = leaf({4, 4}).exp();
    EXPECT_EQ(inner.heldBytes({}), 2 * 2 * 8);
    EXPECT_EQ(outer.heldBytes({}), 4 * 4 * 8);
}

} // namespace
} // namespace headroom::tensor::saved_tensor_counter_test
