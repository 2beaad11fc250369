// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SavedTensorHooks.h"

#include <functional>
#include <memory>

namespace headroom::tensor {

/// What stands in for parameters while a module runs (an upcast copy, a copy on the device), and what autograd keeps of
/// it: the copy, or no more than how to make it again.
///
/// Open a SavedTensorHookScope with it around the forward where gradients are recorded, at once. Also needed where
/// copies are kept: autograd would otherwise keep the parameter, whose data are others by then. It sees tensors before
/// checkpoints do, inside of it or around it; those that are no copies go on to the source that is current then.
class WorkingCopies final : public SavedTensorHookSource {
public:
    /// Makes a copy of one parameter anew, of the same shape, contiguous like the first. Called in the backward pass,
    /// on whichever thread; keeps what it refers to alive.
    using Rebuild = std::function<at::Tensor()>;

    WorkingCopies();
    ~WorkingCopies() override;

    /// Views of `copy` that autograd saves are kept as `rebuild` and their geometry; without `rebuild`, as they are.
    void add(const at::Tensor& copy, Rebuild rebuild);

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;
    bool comesFirst() const override { return true; }
    /// What is cast from a copy is kept as the copy is: as how to make it again.
    void noteCast(const at::Tensor& from, const at::Tensor& cast) override;

private:
    class Register;
    class Hooks;

    std::shared_ptr<Register> m_register; ///< lives while a graph may still ask
    SavedTensorHookSource* m_outer; ///< that comes first as well; null: none
};

} // namespace headroom::tensor
