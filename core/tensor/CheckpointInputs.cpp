// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/CheckpointInputs.h"

#include "core/config/Error.h"

namespace headroom::tensor {

// Without history: an input that the region changes in place would otherwise hold the graph that holds it.
CheckpointInputs::Input CheckpointInputs::keep(const at::Tensor& input)
{
    if (!input.defined())
        return {};
    const c10::VariableVersion& counter = input.unsafeGetTensorImpl()->version_counter();
    return {torch::autograd::SavedVariable(at::Tensor(input.tensor_data()), false), counter, counter.current_version(),
        input.requires_grad()};
}

CheckpointInputs::CheckpointInputs(const std::vector<at::Tensor>& inputs)
{
    m_inputs.reserve(inputs.size());
    for (const at::Tensor& input : inputs)
        m_inputs.push_back(keep(input));
}

std::vector<at::Tensor> CheckpointInputs::unpack(const std::string& where) const
{
    std::vector<at::Tensor> result;
    for (const Input& input : m_inputs) {
        if (input.counter.enabled() && input.counter.current_version() != input.version)
            throw TrialError("input " + std::to_string(result.size()) + " was changed in place after the forward pass",
                where, "inputs that stay as they are until the backward pass has run");
        at::Tensor tensor = input.saved.unpack();
        result.emplace_back(tensor.defined() ? at::Tensor(tensor.tensor_data()) : tensor);
        if (input.requiresGrad)
            result.back().requires_grad_(true);
    }
    return result;
}

} // namespace headroom::tensor
