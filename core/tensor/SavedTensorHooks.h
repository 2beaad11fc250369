// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <memory>

namespace headroom::tensor {

/// Makes the hooks of one tensor that autograd is about to save.
class SavedTensorHookSource {
public:
    virtual ~SavedTensorHookSource() = default;
    virtual std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() = 0;
    /// Whether it sees each tensor before ordinary sources do, however their scopes are nested: what stands in for a
    /// weight is the same thing inside of a checkpointed region and around it.
    virtual bool comesFirst() const { return false; }
    /// `cast` was just made of `from` by a change of type alone, without a gradient.
    virtual void noteCast(const at::Tensor& /*from*/, const at::Tensor& /*cast*/) { }
};

/// While it lives, every tensor that this thread's forward saves for backward goes through hooks of `source`, which has
/// to outlive it (the hooks themselves live as long as the graph). Scopes nest: the innermost source is asked, of those
/// that come first, else of the ordinary ones.
///
/// LibTorch asks its engine for default hooks, so the engine is replaced by one that asks us; Python's engine uses the
/// same slot. Install it before the first backward with `prepareSavedTensorHooks`: an engine has device threads, and
/// each of them a cuBLAS workspace.
class SavedTensorHookScope {
public:
    explicit SavedTensorHookScope(SavedTensorHookSource& source);
    /// The source that was current elsewhere; null: autograd's own way.
    explicit SavedTensorHookScope(SavedTensorHookSource* source);
    ~SavedTensorHookScope();
    /// The innermost ordinary source of this thread; null: none.
    static SavedTensorHookSource* current();
    /// The innermost one of those that come first; null: none.
    static SavedTensorHookSource* currentFirst();
    SavedTensorHookScope(const SavedTensorHookScope&) = delete;
    SavedTensorHookScope& operator=(const SavedTensorHookScope&) = delete;

private:
    SavedTensorHookSource*& m_innermost;
    SavedTensorHookSource* m_outer;
};

/// Installs the engine that knows the scopes; once per process is enough.
void prepareSavedTensorHooks();

} // namespace headroom::tensor
