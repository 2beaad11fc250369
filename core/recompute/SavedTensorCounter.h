// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/tensor/SavedTensorHooks.h"

#include <memory>
#include <vector>

namespace headroom::tensor {

/// Counts what autograd holds for the backward pass.
///
/// Open a SavedTensorHookScope with it around a forward; `heldBytes` then returns what the graph holds at that moment.
class SavedTensorCounter final : public SavedTensorHookSource {
public:
    SavedTensorCounter();
    ~SavedTensorCounter() override;

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;

    /// Bytes of the storages that are held, each counted once, without those that `except` uses too (weights, the
    /// batch).
    Bytes heldBytes(const std::vector<at::Tensor>& except) const;

private:
    class Register;
    class CountedHooks;

    std::shared_ptr<Register> m_register; ///< outlives every hook, as each hook holds it
};

} // namespace headroom::tensor
