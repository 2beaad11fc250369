// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/CheckpointFrame.h"

#include <memory>

namespace headroom::tensor {

/// While it lives, what this thread's forward saves for its backward pass is not kept but rebuilt when needed, by
/// repeating the region from its inputs.
///
/// Scopes nest: the inputs of an inner one are saved tensors of the outer one. Does nothing if gradients are off.
/// Inputs may be undefined, need no gradient, or share storages. What a selection of ops keeps is not computed again.
class CheckpointScope {
public:
    CheckpointScope(CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options = {});
    ~CheckpointScope();
    CheckpointScope(const CheckpointScope&) = delete;
    CheckpointScope& operator=(const CheckpointScope&) = delete;

private:
    class Source;
    class Watch;

    std::unique_ptr<Source> m_source;
    std::unique_ptr<Watch> m_watch;
    std::optional<SavedTensorHookScope> m_hooks;
};

} // namespace headroom::tensor
