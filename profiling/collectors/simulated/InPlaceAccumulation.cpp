// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/InPlaceAccumulation.h"

#include "core/tensor/Torch.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headroom::collectors {
namespace {

using Formulas = std::vector<std::string_view>;

// Ops that a formula calls out of place only on meta, with their formulas: those of the ops of that name
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

// The sum goes into the zeros that the formula has made, with the accumulating kernel's scratch memory.
at::Tensor accumulatedByIndex(torch::jit::Stack& stack, std::size_t first)
{
    at::Tensor sum = stack[first].toTensor();
    const auto indices = stack[first + 1].to<c10::List<std::optional<at::Tensor>>>();
    return at::_index_put_impl_(sum, indices, stack[first + 2].toTensor(), /*accumulate=*/true, /*unsafe=*/true);
}

// Carries out in place, on meta, what a backward formula of LibTorch computes in place on a real device.
//
// Formulas that change a tensor of their own first call areAnyTensorSubclassLike (ATen/TensorSubclassLikeUtils.h),
// which is true for meta tensors, and then make a new tensor of the same size. docs/simulated-ops.md lists all of them.
// To be called while a formula runs, before the op; returns true if the op was carried out here: `stack` then ends with
// its result.
bool computedInPlace(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    const auto rule = formulasByOp().find(op.operator_name());
    if (rule == formulasByOp().end() || !runsOneOf(rule->second))
        return false;
    const std::size_t count = op.schema().arguments().size();
    const std::size_t first = stack.size() - count;
    const at::Tensor& own = stack[first].toTensor();
    const bool isIndexPut = op.schema().name() == "aten::index_put";
    // The backward pass of index checks for subclasses within the same statement: its list also holds the zeros.
    if (!own.is_meta() || !isHeldByCallerAlone(own, isIndexPut ? 2 : 1))
        return false;
    at::Tensor result = isIndexPut ? accumulatedByIndex(stack, first) : own;
    torch::jit::drop(stack, count);
    stack.emplace_back(std::move(result));
    return true;
}

// Nesting depth of the backward formulas that run on this thread.
thread_local int t_formulas = 0;

std::unique_ptr<at::ObserverContext> formulaBegins(const at::RecordFunction&)
{
    ++t_formulas;
    return nullptr;
}

void formulaEnds(const at::RecordFunction&, at::ObserverContext*)
{
    --t_formulas;
}

// Whether autograd's backward is running, and not a forward pass that a formula repeats.
bool isInBackward()
{
    return !at::GradMode::is_enabled() && torch::autograd::get_current_node() != nullptr;
}

// The conditions of torch/csrc/autograd/input_buffer.cpp for adding into a tensor.
bool canTake(const at::Tensor& sum, const at::Tensor& other)
{
    return isHeldByCallerAlone(sum) && sum.is_meta() && sum.sizes().equals(other.sizes())
        && sum.scalar_type() == other.scalar_type();
}

} // namespace

InPlaceAccumulation::InPlaceAccumulation()
    : m_callback(at::addThreadLocalCallback(
          at::RecordFunctionCallback(&formulaBegins, &formulaEnds).scopes({at::RecordScope::BACKWARD_FUNCTION})))
{
}

InPlaceAccumulation::~InPlaceAccumulation()
{
    at::removeCallback(m_callback);
}

bool isHeldByCallerAlone(const at::Tensor& argument, std::size_t callersHandles)
{
    return argument.use_count() <= callersHandles + 1 && argument.has_storage() && argument.storage().use_count() == 1
        && argument.is_non_overlapping_and_dense();
}

bool InPlaceAccumulation::transform(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    if (!isInBackward())
        return false;
    return t_formulas > 0 ? computedInPlace(op, stack) : addedInPlace(op, stack);
}

// In the engine's own code a node is current, but its formula has returned.
bool InPlaceAccumulation::addedInPlace(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    static const c10::OperatorName add("aten::add", "Tensor");
    if (op.operator_name() != add)
        return false;
    const at::Tensor& sum = stack[stack.size() - 3].toTensor();
    const at::Tensor& other = stack[stack.size() - 2].toTensor();
    if (!canTake(sum, other))
        return false;
    at::Tensor result = sum;
    torch::jit::drop(stack, 3);
    stack.emplace_back(std::move(result));
    return true;
}

} // namespace headroom::collectors
