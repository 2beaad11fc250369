// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointInputs.h"

#include "core/base/Error.h"

#include <utility>

namespace headroom::tensor {

// Detached: an input that the region changes in place would otherwise hold the graph that holds it.
CheckpointInputs::Input CheckpointInputs::keep(const at::Tensor& input, Residency residency)
{
    if (!input.defined())
        return {};
    const c10::VariableVersion& counter = input.unsafeGetTensorImpl()->version_counter();
    const at::Tensor kept(input.tensor_data());
    const bool mayLeave = residency == Residency::Offloadable && counter.enabled() && OffloadedTensor::canLeave(kept);
    return {torch::autograd::SavedVariable(kept, false), counter, counter.current_version(), input.requires_grad(),
        mayLeave ? kept : at::Tensor(), nullptr};
}

CheckpointInputs::CheckpointInputs(const std::vector<at::Tensor>& inputs, Residency residency)
{
    m_inputs.reserve(inputs.size());
    for (const at::Tensor& input : inputs)
        m_inputs.push_back(keep(input, residency));
}

std::vector<at::Tensor> CheckpointInputs::unpack(const std::string& where)
{
    std::vector<at::Tensor> result;
    for (const Input& input : m_inputs) {
        if (input.counter.enabled() && input.counter.current_version() != input.version)
            throw TrialError("input " + std::to_string(result.size()) + " was changed in place after the forward pass",
                where, "inputs that stay as they are until the backward pass has run");
        const at::Tensor tensor = input.tensor();
        result.emplace_back(tensor.defined() ? at::Tensor(tensor.tensor_data()) : tensor);
        if (input.offloaded) // returning from the host does not count as a change
            result.back().unsafeGetTensorImpl()->set_version_counter(c10::VariableVersion(input.version));
        if (input.requiresGrad)
            result.back().requires_grad_(true);
    }
    if (const auto before = m_before.lock())
        before->sendFor();
    return result;
}

void CheckpointInputs::offloadThrough(std::shared_ptr<InputOffload> offload, std::weak_ptr<CheckpointInputs> before)
{
    m_offload = std::move(offload);
    m_before = std::move(before);
}

// Hooks hold a separate tensor over the storage; without hooks, `saved` itself shares the tensor in `waiting`.
bool CheckpointInputs::Input::isHeldByNobodyElse() const
{
    return waiting.storage().use_count() == (saved.has_hooks() ? 2 : 1);
}

bool CheckpointInputs::leave()
{
    bool leaves = false;
    for (Input& input : m_inputs) {
        const bool goes = input.waiting.defined() && input.isHeldByNobodyElse();
        if (goes) {
            input.saved = {};
            input.offloaded = std::make_unique<OffloadedTensor>(m_offload, input.waiting);
        }
        input.waiting.reset();
        leaves = leaves || goes;
    }
    return leaves;
}

void CheckpointInputs::left()
{
    for (const Input& input : m_inputs)
        if (input.offloaded)
            input.offloaded->left();
}

void CheckpointInputs::sendFor()
{
    for (const Input& input : m_inputs)
        if (input.offloaded)
            input.offloaded->sendFor();
}

} // namespace headroom::tensor
