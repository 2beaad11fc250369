// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SavedTensorHooks.h"

#include <memory>

namespace headroom::tensor {

/// Labels what autograd and checkpoints keep for the backward pass as saved activations, until the last holder releases
/// it. Saved weights and inputs keep their labels.
///
/// The outermost scope of a traced forward: checkpoints keep their inputs through it. Saved tensors are held as
/// autograd would hold them, so that lifetimes do not change.
class SavedTensorLabels final : public SavedTensorHookSource {
public:
    SavedTensorLabels();
    ~SavedTensorLabels() override;

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;

private:
    class Register;
    class LabellingHooks;

    std::shared_ptr<Register> m_register; ///< outlives every hook, as each hook holds it
};

} // namespace headroom::tensor
