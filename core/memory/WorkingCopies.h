// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SavedTensorHooks.h"

#include <functional>
#include <memory>

namespace headroom::tensor {

/// Copies that replace parameters while a module runs (an upcast copy, a copy on the device), and what autograd keeps
/// of them: the copy, or only how to rebuild it.
///
/// Open a SavedTensorHookScope with it at once, around the forward, if gradients are recorded. This is also needed if
/// copies are kept: autograd would otherwise keep the parameter, whose data have changed by then. It sees tensors
/// before checkpoints do, whether it is inside or outside of them; tensors that are not copies go on to the next
/// source.
class WorkingCopies final : public SavedTensorHookSource {
public:
    /// Rebuilds a copy of one parameter, with the shape and contiguity of the first. Called in the backward pass, on
    /// any thread; keeps what it refers to alive.
    using Rebuild = std::function<at::Tensor()>;

    WorkingCopies();
    ~WorkingCopies() override;

    /// Views of `copy` that autograd saves are kept as `rebuild` and their geometry; without `rebuild`, as they are.
    void add(const at::Tensor& copy, Rebuild rebuild);

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;
    bool comesFirst() const override { return true; }
    /// A cast of a copy is kept in the same way as the copy: by how to rebuild it.
    void noteCast(const at::Tensor& from, const at::Tensor& cast) override;

private:
    class Register;
    class Hooks;

    std::shared_ptr<Register> m_register; ///< lives as long as a graph may use it
    SavedTensorHookSource* m_outer; ///< the enclosing source that also comes first; null: none
};

} // namespace headroom::tensor
