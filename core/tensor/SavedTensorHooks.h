// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <memory>

namespace headroom::tensor {

/// Creates the hooks of one tensor that autograd is about to save.
class SavedTensorHookSource {
public:
    virtual ~SavedTensorHookSource() = default;
    virtual std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() = 0;
    /// Whether it sees each tensor before ordinary sources do, however their scopes are nested: a weight's copy must be
    /// recognised both inside of a checkpointed region and around it.
    virtual bool comesFirst() const { return false; }
    /// `cast` was just created from `from` by a dtype conversion alone, without a gradient.
    virtual void noteCast(const at::Tensor& /*from*/, const at::Tensor& /*cast*/) { }
};

/// While it lives, every tensor that this thread's forward saves for backward goes through hooks of `source`, which
/// must outlive it (the hooks themselves live as long as the graph). Scopes nest: the innermost source among those that
/// come first is asked, or else the innermost ordinary one.
///
/// LibTorch asks its engine for default hooks, so the engine is replaced by one that asks us; Python's engine uses the
/// same slot. Install it with `prepareSavedTensorHooks` before the first backward pass: each engine has device threads,
/// and each of these a cuBLAS workspace.
class SavedTensorHookScope {
public:
    explicit SavedTensorHookScope(SavedTensorHookSource& source);
    /// For a source that was current elsewhere; null: autograd's default behaviour.
    explicit SavedTensorHookScope(SavedTensorHookSource* source);
    ~SavedTensorHookScope();
    /// This thread's innermost ordinary source; null: none.
    static SavedTensorHookSource* current();
    /// The innermost source among those that come first; null: none.
    static SavedTensorHookSource* currentFirst();
    SavedTensorHookScope(const SavedTensorHookScope&) = delete;
    SavedTensorHookScope& operator=(const SavedTensorHookScope&) = delete;

private:
    SavedTensorHookSource*& m_innermost;
    SavedTensorHookSource* m_outer;
};

/// Installs the engine that knows the scopes; needed once per process.
void prepareSavedTensorHooks();

} // namespace headroom::tensor
