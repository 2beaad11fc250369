// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::tensor {

/// The inputs of a checkpointed region, kept as autograd keeps what it saves: through the hooks that are current when
/// this is made. So an outer checkpoint rebuilds them, and a counter of saved tensors sees them.
class CheckpointInputs {
public:
    /// Undefined inputs stay undefined.
    explicit CheckpointInputs(const std::vector<at::Tensor>& inputs);

    /// The inputs without history, requiring gradients where they did, with the storages they had.
    /// Throws TrialError at `where` when one was changed in place since.
    std::vector<at::Tensor> unpack(const std::string& where) const;

private:
    struct Input {
        torch::autograd::SavedVariable saved;
        c10::VariableVersion counter; ///< counts changes in place; keeps no storage alive
        std::uint32_t version = 0;
        bool requiresGrad = false;
    };

    static Input keep(const at::Tensor& input);

    std::vector<Input> m_inputs;
};

} // namespace headroom::tensor
