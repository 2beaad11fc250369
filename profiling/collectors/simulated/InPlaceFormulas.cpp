// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/InPlaceFormulas.h"

#include "profiling/collectors/simulated/InPlaceAccumulation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headroom::collectors {
namespace {

using Formulas = std::vector<std::string_view>;

// Ops that a formula calls in their out-of-place form on meta alone, with the formulas: those of the ops so named
// (torch/csrc/autograd/FunctionsManual.cpp, aten/src/ATen/native/ReduceOps.cpp and TensorAdvancedIndexing.cpp).
const std::unordered_map<c10::OperatorName, Formulas>& formulasByOp()
{
    static const Formulas selecting{"Max", "Min", "Sort", "Topk", "Kthvalue", "Mode", "Median", "Nanmedian"};
    static const std::unordered_map<c10::OperatorName, Formulas> formulas{
        {{"aten::scatter", "src"}, selecting},
        {{"aten::scatter_add", ""}, {"Gather", "Cummax", "Cummin"}},
        {{"aten::index_add", ""}, {"IndexSelect"}},
        {{"aten::index_put", ""}, {"Index", "UnsafeIndex"}},
        {{"aten::logical_and", ""}, {"Clamp", "Max", "Min", "Median", "Nanmedian"}},
        {{"aten::logical_or", ""}, {"Clamp"}},
    };
    return formulas;
}

// "Max" of MaxBackward0 and MaxBackward1.
std::string_view stemOf(std::string_view node)
{
    return node.substr(0, node.find("Backward"));
}

bool runsOneOf(const Formulas& formulas)
{
    const std::string node = torch::autograd::get_current_node()->name();
    return std::ranges::find(formulas, stemOf(node)) != formulas.end();
}

// The sum goes into the zeros that the formula has made, with what the accumulating kernel takes beside them.
at::Tensor accumulatedByIndex(torch::jit::Stack& stack, std::size_t first)
{
    at::Tensor sum = stack[first].toTensor();
    const auto indices = stack[first + 1].to<c10::List<std::optional<at::Tensor>>>();
    return at::_index_put_impl_(sum, indices, stack[first + 2].toTensor(), /*accumulate=*/true, /*unsafe=*/true);
}

} // namespace

bool computedInPlace(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    const auto rule = formulasByOp().find(op.operator_name());
    if (rule == formulasByOp().end() || !runsOneOf(rule->second))
        return false;
    const std::size_t count = op.schema().arguments().size();
    const std::size_t first = stack.size() - count;
    const at::Tensor& own = stack[first].toTensor();
    const bool isIndexPut = op.schema().name() == "aten::index_put";
    // The backward pass of index asks for subclasses within the same statement: that list holds the zeros, too.
    if (!own.is_meta() || !isHeldByCallerAlone(own, isIndexPut ? 2 : 1))
        return false;
    at::Tensor result = isIndexPut ? accumulatedByIndex(stack, first) : own;
    torch::jit::drop(stack, count);
    stack.emplace_back(std::move(result));
    return true;
}

} // namespace headroom::collectors
