// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// Chooses, op by op, which results of a checkpointed region's forward are kept, so that its repetition need not
/// compute them. One object per run of a region.
class OpSelection {
public:
    enum class Choice {
        Untracked, ///< not an op to choose from; runs again
        Recompute, ///< an op to choose from, but this call runs again
        Keep
    };

    virtual ~OpSelection() = default;

    /// Called for each call in order, and only in the forward: a repetition follows the choices made then. Whether an
    /// op is tracked must depend on the op alone.
    virtual Choice choose(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments) = 0;

    /// The result of a call was kept, or no longer is because the region changed it in place.
    virtual void kept(const c10::OperatorHandle& op) = 0;
    virtual void dropped(const c10::OperatorHandle& op) = 0;

    /// The op ran again in a repetition of the region. May be called on another thread.
    virtual void ranAgain(const c10::OperatorHandle& op) = 0;
};

} // namespace headroom::tensor
