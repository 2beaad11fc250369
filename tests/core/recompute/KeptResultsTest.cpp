// SPDX-License-Identifier: Apache-2.0
//
// Regions that keep results of some of their ops: what runs again, what is held, and what must not happen to it.
#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "core/recompute/SavedTensorCounter.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

namespace headroom::tensor::kept_results_test {
namespace {

using testing::HasSubstr;

/// Keeps every result of the ops that are named, and counts.
class ByName final : public OpSelection {
public:
    explicit ByName(std::set<std::string> names)
        : m_names(std::move(names))
    {
    }
    Choice choose(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue>) override
    {
        return m_names.contains(op.schema().name()) && !op.schema().is_mutable() ? Choice::Keep : Choice::Untracked;
    }
    void kept(const c10::OperatorHandle&) override { ++keptResults; }
    void dropped(const c10::OperatorHandle&) override { --keptResults; }
    void ranAgain(const c10::OperatorHandle& op) override { ++again[op.schema().name()]; }

    int keptResults = 0;
    std::map<std::string, int> again;

private:
    std::set<std::string> m_names;
};

std::shared_ptr<ByName> keeping(std::set<std::string> names)
{
    return std::make_shared<ByName>(std::move(names));
}

at::Tensor leaf(at::IntArrayRef sizes, c10::ScalarType type = at::kDouble)
{
    return at::randn(sizes, onTestDevice(type)).requires_grad_(true);
}

/// Three products with something between them.
struct Products {
    at::Tensor weight = leaf({6, 6});

    Forward forward() const
    {
        return [weight = weight](const std::vector<at::Tensor>& in) {
            return at::mm(at::silu(at::mm(at::silu(at::mm(in[0], weight)), weight)), weight).sigmoid();
        };
    }
    std::vector<at::Tensor> gradients(const at::Tensor& output, const at::Tensor& input) const
    {
        return torch::autograd::grad({output.square().mean()}, {input, weight}, {}, /*retain_graph=*/true);
    }
};

void expectEqual(const std::vector<at::Tensor>& found, const std::vector<at::Tensor>& expected)
{
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(sameNumbers(found[i], expected[i])) << i;
}

TEST(KeptResultsTest, whatIsKeptIsNotComputedAgain)
{
    const Products products;
    const at::Tensor input = leaf({4, 6});
    const auto selection = keeping({"aten::mm"});
    const at::Tensor output = checkpointed(products.forward(), {input}, "block 0", {.selection = selection});
    EXPECT_EQ(selection->keptResults, 3);
    expectEqual(products.gradients(output, input), products.gradients(products.forward()({input}), input));
    EXPECT_EQ(selection->again["aten::mm"], 0);
    EXPECT_EQ(selection->again["aten::silu"], 2);
}

TEST(KeptResultsTest, eachBackwardOfARetainedGraphUsesThemAgain)
{
    const Products products;
    const at::Tensor input = leaf({4, 6});
    const auto selection = keeping({"aten::mm"});
    const at::Tensor output = checkpointed(products.forward(), {input}, "block 0", {.selection = selection});
    const auto once = products.gradients(output, input);
    expectEqual(products.gradients(output, input), once);
    output.square().mean().backward();
    EXPECT_TRUE(sameNumbers(input.grad(), once[0]));
    EXPECT_EQ(selection->again["aten::mm"], 0);
}

TEST(KeptResultsTest, opsWithSeveralResultsAreKeptWhole)
{
    const auto selection = keeping({"aten::topk"});
    const at::Tensor input = leaf({5, 9});
    const Forward forward = [](const std::vector<at::Tensor>& in) {
        const auto [values, indices] = at::topk(in[0].sin(), 3);
        return values.exp() * indices;
    };
    const auto gradient = [&](const at::Tensor& output) { return torch::autograd::grad({output.sum()}, {input}); };
    expectEqual(
        gradient(checkpointed(forward, {input}, "block 0", {.selection = selection})), gradient(forward({input})));
    EXPECT_EQ(selection->keptResults, 1);
    EXPECT_EQ(selection->again["aten::topk"], 0);
}

// A product that the region changes in place is not kept; its gradients are those without checkpointing.
void expectComputedAgain(const Forward& forward, const at::Tensor& input, const at::Tensor& weight)
{
    const auto selection = keeping({"aten::mm"});
    const auto gradient = [&](const at::Tensor& output) {
        return torch::autograd::grad({output.square().mean()}, {input, weight});
    };
    const at::Tensor output = checkpointed(forward, {input}, "block 0", {.selection = selection});
    EXPECT_EQ(selection->keptResults, 0);
    expectEqual(gradient(output), gradient(forward({input})));
    EXPECT_EQ(selection->again["aten::mm"], 1);
}

// The repetition has to start from what was there before the change.
TEST(KeptResultsTest, whatTheRegionChangesItselfIsComputedAgain)
{
    const at::Tensor input = leaf({4, 6}), weight = leaf({6, 6});
    const std::vector<Forward> forwards{[&](const auto& in) { return at::mm(in[0], weight).add_(1).sin().exp(); },
        [&](const auto& in) { return at::_unsafe_view(at::mm(in[0], weight), {24}).mul_(2).sin().exp(); },
        [&](const auto& in) { return at::mm(in[0], weight).view({24}).mul_(2).sin().exp(); }};
    for (const Forward& forward : forwards)
        expectComputedAgain(forward, input, weight);
}

// As in a GRU's cell: parts of a product count their changes each for itself, of which autograd saves one after the
// other.
TEST(KeptResultsTest, partsThatTheRegionChangesItselfAreComputedAgain)
{
    const at::Tensor input = leaf({4, 6}), weight = leaf({6, 6});
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        const auto parts = at::mm(in[0], weight).unsafe_chunk(3, 1);
        return parts[0].mul_(2).sigmoid_() * parts[1].mul_(3).sigmoid_() * parts[2].exp();
    };
    expectComputedAgain(forward, input, weight);
}

TEST(KeptResultsTest, whatIsChangedAfterTheForwardIsRefused)
{
    const at::Tensor weight = leaf({6, 6});
    const std::vector<Forward> forwards{[&](const auto& in) { return at::mm(in[0], weight); },
        [&](const auto& in) { return at::_unsafe_view(at::mm(in[0], weight), {24}); },
        [&](const auto& in) { return at::mm(in[0], weight).view({2, 12}); }};
    for (const Forward& forward : forwards) {
        at::Tensor changed;
        const Forward keepsOne = [&](const std::vector<at::Tensor>& in) {
            const at::Tensor product = forward(in);
            if (!changed.defined())
                changed = product.detach();
            return product.sin().exp();
        };
        const at::Tensor loss =
            checkpointed(keepsOne, {leaf({4, 6})}, "block 3", {.selection = keeping({"aten::mm"})}).sum();
        changed.add_(1);
        EXPECT_EQ(refusal<TrialError>([&] { loss.backward(); }),
            "checkpointed block 3: the kept result of aten::mm, call 0 was changed in place after the forward pass "
            "(valid: results that stay as they are until the backward pass has run, or ops to keep without this one)");
    }
}

TEST(KeptResultsTest, aRegionThatCallsAnOpMoreOftenIsRefused)
{
    const at::Tensor weight = leaf({4, 4});
    const Forward forward = [&weight, runs = std::make_shared<int>(0)](const std::vector<at::Tensor>& in) {
        if ((*runs)++ > 0)
            at::mm(weight.detach(), weight.detach());
        return at::mm(in[0], weight).sin().exp();
    };
    const at::Tensor loss =
        checkpointed(forward, {leaf({4, 4})}, "block 3", {.selection = keeping({"aten::mm"})}).sum();
    EXPECT_EQ(refusal<TrialError>([&] { loss.backward(); }),
        "checkpointed block 3: run again for the backward pass, it came to aten::mm, call 1, which the forward pass "
        "had 1 calls of (valid: a forward that does the same each time)");
}

// What runs in an inner checkpoint is that one's to keep or not.
TEST(KeptResultsTest, nothingIsKeptInsideOfAnotherCheckpoint)
{
    const Products products;
    const at::Tensor input = leaf({4, 6});
    const auto selection = keeping({"aten::mm"});
    const Forward both = [&](const std::vector<at::Tensor>& in) {
        return checkpointed(products.forward(), {at::mm(in[0], products.weight)}, "inner");
    };
    const at::Tensor output = checkpointed(both, {input}, "outer", {.selection = selection});
    EXPECT_EQ(selection->keptResults, 1);
    expectEqual(products.gradients(output, input), products.gradients(both({input}), input));
}

// The outer region's repetition keeps for the inner one what the forward kept.
TEST(KeptResultsTest, anInnerRegionMayKeepResults)
{
    const Products products;
    const at::Tensor input = leaf({4, 6});
    const Forward both = [&](const std::vector<at::Tensor>& in) {
        const at::Tensor first = checkpointed(products.forward(), in, "inner 0", {.selection = keeping({"aten::mm"})});
        return checkpointed(products.forward(), {first}, "inner 1", {.selection = keeping({"aten::silu"})});
    };
    const auto plain = products.gradients(products.forward()({products.forward()({input})}), input);
    expectEqual(products.gradients(checkpointed(both, {input}, "outer"), input), plain);
    expectEqual(
        products.gradients(checkpointed(both, {input}, "outer", {.selection = keeping({"aten::mm"})}), input), plain);
}

// A result that is kept for the repetition and one that autograd saves are counted alike.
TEST(KeptResultsTest, whatIsKeptCountsAsSaved)
{
    const Products products;
    const at::Tensor input = leaf({4, 6});
    const auto held = [&](const std::function<at::Tensor()>& forward) {
        SavedTensorCounter counter;
        at::Tensor output;
        {
            const SavedTensorHookScope hooks(counter);
            output = forward();
        }
        return counter.heldBytes({input, products.weight}) / (4 * 6 * 8);
    };
    EXPECT_EQ(held([&] { return products.forward()({input}); }), 5) << "two products, two silus, sigmoid's result";
    EXPECT_EQ(held([&] { return checkpointed(products.forward(), {input}); }), 0);
    EXPECT_EQ(held([&] {
        return checkpointed(products.forward(), {input}, "block 0", {.selection = keeping({"aten::mm"})});
    }),
        3);
}

/// Bytes that are alive after the forward, after it with a backward that retains the graph, and without the graph.
struct Lives {
    std::vector<Bytes> bytes;
};

Lives livesOn(c10::Device device)
{
    const auto backend = std::make_shared<RecordingBackend>();
    std::unique_ptr<CpuMemory> cpu;
    std::unique_ptr<MetaMemory> meta;
    if (device.is_cpu())
        cpu = std::make_unique<CpuMemory>(backend);
    else
        meta = std::make_unique<MetaMemory>(backend);
    Lives lives;
    {
        const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
        const at::Tensor input = at::zeros({64, 64}, options).requires_grad_();
        const at::Tensor weight = at::zeros({64, 64}, options).requires_grad_();
        const Forward forward = [&](const std::vector<at::Tensor>& in) {
            return at::mm(at::silu(at::mm(in[0], weight)), weight).neg();
        };
        at::Tensor output = checkpointed(forward, {input}, "block 0", {.selection = keeping({"aten::mm"})});
        lives.bytes.push_back(backend->liveBytes());
        output.sum().backward({}, /*retain_graph=*/true);
        lives.bytes.push_back(backend->liveBytes());
        output.sum().backward();
        lives.bytes.push_back(backend->liveBytes());
        output.reset();
        lives.bytes.push_back(backend->liveBytes());
    }
    EXPECT_EQ(backend->liveBytes(), 0);
    EXPECT_EQ(backend->unknownDeaths(), 0);
    return lives;
}

// In tensors of 64 x 64: two leaves, two products that are kept, the output; then the leaves' gradients; after the last
// backward the products are gone; then the output.
TEST(KeptResultsTest, liveAsLongAsTheGraphAndNoLonger)
{
    const Bytes tensor = 64 * 64 * 4;
    for (const c10::DeviceType device : {at::kCPU, at::kMeta})
        EXPECT_THAT(livesOn(device).bytes, testing::ElementsAre(5 * tensor, 7 * tensor, 5 * tensor, 4 * tensor));
}

} // namespace
} // namespace headroom::tensor::kept_results_test
