// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SavedTensorHooks.h"

#include <memory>

namespace headroom::tensor {

/// Labels what autograd and checkpoints keep for the backward pass as saved activations, until the last of those that
/// keep it lets go. Weights and inputs that are saved stay what they are.
///
/// The outermost scope of a traced forward: checkpoints keep their inputs through it. What is saved is held as autograd
/// would hold it, so that nothing lives longer or shorter than without.
class SavedTensorLabels final : public SavedTensorHookSource {
public:
    SavedTensorLabels();
    ~SavedTensorLabels() override;

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;

private:
    class Register;
    class LabellingHooks;

    std::shared_ptr<Register> m_register; ///< outlived by no hook: each holds it
};

} // namespace headroom::tensor
