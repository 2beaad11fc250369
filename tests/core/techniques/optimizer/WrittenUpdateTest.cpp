// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/Optimizer.h"

#include "core/memory/MetaMemory.h"
#include "tests/core/memory/RecordingBackend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// What an update allocates and how long it holds it, counted in tensors of one size; its numbers are OptimizerTest's.
namespace headroom::techniques::written_update_test {
namespace {

using Rule = config::OptimizerNotation::Rule;

constexpr std::int64_t kElements = 1000;
constexpr Bytes kTensorBytes = 4 * kElements;

/// Parameters with gradients on the meta device, and what their updates allocate.
struct Fixture {
    std::shared_ptr<tensor::RecordingBackend> backend = std::make_shared<tensor::RecordingBackend>();
    tensor::MetaMemory scope{backend};
    std::vector<at::Tensor> parameters;
    std::vector<OptimizerState> states;

    explicit Fixture(std::size_t count)
        : states(count)
    {
        const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
        for (std::size_t i = 0; i < count; ++i) {
            parameters.push_back(at::empty({kElements}, options).requires_grad_());
            parameters.back().mutable_grad() = at::empty({kElements}, options);
        }
    }

    void step(WrittenUpdate& update)
    {
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            ++states[i].updates;
            update.update(parameters[i], states[i]);
        }
    }

    std::int64_t births() const { return static_cast<std::int64_t>(backend->births().size()); }
    std::int64_t live() const { return backend->liveBytes() / kTensorBytes; }
    std::int64_t peak() const { return backend->peakBytes() / kTensorBytes; }
};

TEST(WrittenUpdateTest, adamwMakesATensorForEachOperator)
{
    Fixture test(1);
    WrittenUpdate update(Rule::Adamw, {.weightDecay = 0.01});
    for (int step = 1; step <= 3; ++step) {
        const std::int64_t before = test.births();
        test.step(update);
        // decay * p; zeros, zeros; the two means of three and four operators; step * m, sqrt, + eps, the quotient
        EXPECT_EQ(test.births() - before, 1 + 2 + 3 + 4 + 4) << "step " << step;
        update.functionEnds();
        EXPECT_EQ(test.live(), 4) << "parameter, gradient and two of state";
    }
    EXPECT_EQ(test.peak(), 4 + 5) << "new state beside the old, step * m, sqrt + eps and the quotient";
}

// Python computes the left operand of a sum first: decay * old beside the square and its multiple, and so on.
TEST(WrittenUpdateTest, operandsAreMadeFromLeftToRight)
{
    Fixture test(1);
    WrittenUpdate update(Rule::Adamw, {.weightDecay = 0.01});
    test.step(update);
    update.functionEnds();
    test.backend->restart();
    test.step(update);
    const auto tensors = [](Bytes bytes) { return bytes / kTensorBytes; };
    std::vector<Bytes> live;
    std::ranges::transform(test.backend->liveAtBirths(), std::back_inserter(live), tensors);
    EXPECT_THAT(live,
        testing::ElementsAre(5, 5, 5, // decay * p; zeros twice
            5, 6, 7, 6, 7, 8, 8, // m: both terms and the sum; v: left term, square, its multiple, the sum
            7, 8, 9, 9)); // step * m, sqrt, + eps, the quotient
}

TEST(WrittenUpdateTest, oldStateOfTheLastParameterLivesUntilTheFunctionEnds)
{
    Fixture test(2);
    WrittenUpdate update(Rule::Adamw, {.weightDecay = 0.01});
    test.step(update);
    EXPECT_EQ(test.live(), 8 + 2) << "the zeros of the second parameter";
    update.functionEnds();
    EXPECT_EQ(test.live(), 8);
    test.step(update);
    EXPECT_EQ(test.live(), 8 + 2) << "its old state";
    update.functionEnds();
    EXPECT_EQ(test.live(), 8);
    EXPECT_EQ(test.peak(), 8 + 5) << "that of the first goes when the second's is looked up";
}

TEST(WrittenUpdateTest, sgdReplacesItsBuffer)
{
    Fixture test(1);
    WrittenUpdate update(Rule::Sgd, {.momentum = 0.9});
    test.step(update);
    update.functionEnds();
    EXPECT_EQ(test.live(), 3) << "a copy of the first gradient";
    test.step(update);
    EXPECT_EQ(test.peak(), 3 + 2) << "both terms of the new buffer, then the buffer and its step";
    update.functionEnds();
    EXPECT_EQ(test.live(), 3);
}

} // namespace
} // namespace headroom::techniques::written_update_test
