// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/InPlaceAccumulation.h"

#include "profiling/collectors/simulated/InPlaceFormulas.h"

namespace headroom::collectors {
namespace {

// How many backward formulas run on this thread, one inside the other.
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

// Autograd is at work, and not a forward pass that its formula repeats.
bool isInBackward()
{
    return !at::GradMode::is_enabled() && torch::autograd::get_current_node() != nullptr;
}

// What torch/csrc/autograd/input_buffer.cpp asks of a tensor before it adds into it.
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

// The engine's own code: a node is current, but its formula has returned.
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
