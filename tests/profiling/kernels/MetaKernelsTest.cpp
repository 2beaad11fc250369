// SPDX-License-Identifier: Apache-2.0
//
// Meta kernels against the CPU's: the same op with the same arguments on both devices.
#include "core/recompute/SavedTensorCounter.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/profiling/kernels/OpCases.h"

#include <gtest/gtest.h>

#include <sstream>

namespace headroom::collectors::meta_kernels_test {
namespace {

using Stack = torch::jit::Stack;

std::string described(const at::Tensor& tensor)
{
    if (!tensor.defined())
        return "none";
    std::ostringstream text;
    text << tensor.scalar_type() << tensor.sizes();
    // Where one dimension is left there is nothing to order.
    if (tensor.numel() > 1)
        for (std::int64_t i = 0; i < tensor.dim(); ++i)
            text << (tensor.size(i) > 1 ? "/" + std::to_string(tensor.stride(i)) : "/-");
    return text.str();
}

/// What a call leaves, in words.
struct Outcome {
    std::vector<std::string> results;
    std::vector<std::string> gradients;
    Bytes saved = 0;

    bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome)
{
    for (const std::string& result : outcome.results)
        out << result << "; ";
    out << "gradients ";
    for (const std::string& gradient : outcome.gradients)
        out << gradient << "; ";
    return out << "saved " << outcome.saved;
}

void backward(const Stack& results)
{
    torch::autograd::variable_list roots, gradients;
    for (const c10::IValue& value : results)
        if (value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad()) {
            roots.push_back(value.toTensor());
            gradients.push_back(at::ones_like(value.toTensor()));
        }
    if (!roots.empty())
        torch::autograd::backward(roots, gradients);
}

Outcome outcomeOf(const c10::OperatorHandle& op, Stack stack, Gradients gradients)
{
    std::vector<at::Tensor> leaves, all;
    for (const c10::IValue& value : stack)
        if (value.isTensor())
            all.push_back(value.toTensor());
    if (gradients == Gradients::Compared)
        leaves = trainedAmong(op, stack);
    for (const at::Tensor& leaf : leaves)
        leaf.set_requires_grad(true);
    Outcome outcome;
    tensor::SavedTensorCounter counter;
    {
        const tensor::SavedTensorHookScope scope(counter);
        op.callBoxed(stack);
    }
    outcome.saved = counter.heldBytes(all);
    for (const c10::IValue& value : stack)
        outcome.results.push_back(value.isTensor() ? described(value.toTensor()) : "number");
    backward(stack);
    for (const at::Tensor& leaf : leaves)
        outcome.gradients.push_back(described(leaf.grad()));
    return outcome;
}

class MetaKernelsTest : public testing::TestWithParam<std::vector<OpCase> (*)()> { };

// On the kernels' side the rules are those of sim:cpu, so that CUDA's own layouts stay out of it.
TEST_P(MetaKernelsTest, giveWhatTheCpuGives)
{
    const simulator::ProfileCatalogue profiles(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    const KernelRules rules(profiles.parseSimulatedDevice("sim:cpu"));
    const KernelRules::Scope scope(rules);
    constexpr unsigned kDraws = 12;
    for (const OpCase& each : GetParam()())
        for (unsigned seed = 0; seed < kDraws; ++seed) {
            Draw draw(seed);
            const c10::OperatorHandle op = operatorOf(each);
            const Stack arguments = argumentsOf(each, draw);
            Stack simulated;
            for (const c10::IValue& argument : arguments)
                simulated.push_back(onMeta(argument));
            const auto context = each.op + ", draw " + std::to_string(seed);
            try {
                const Outcome expected = outcomeOf(op, arguments, each.gradients);
                EXPECT_EQ(outcomeOf(op, simulated, each.gradients), expected) << context;
            } catch (const std::exception& error) {
                ADD_FAILURE() << context << ": " << std::string(error.what()).substr(0, 300);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Families, MetaKernelsTest,
    testing::Values(elementwiseCases, reductionCases, imageCases, gatherCases, normCases, otherCases));

} // namespace
} // namespace headroom::collectors::meta_kernels_test
