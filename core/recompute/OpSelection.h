// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// Chooses, op by op, which results of a checkpointed region's forward are kept, so that its repetition need not
/// compute them. One object for one run of a region.
class OpSelection {
public:
    enum class Choice {
        Untracked, ///< none of the ops that are chosen from; runs again
        Recompute, ///< one of them, but this call runs again
        Keep
    };

    virtual ~OpSelection() = default;

    /// Of one call, in the order in which the calls come. Asked in the forward alone: a repetition goes by what was
    /// chosen then. Which ops are tracked depends on nothing but the op.
    virtual Choice choose(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments) = 0;

    /// The result of a call was kept; is no longer, as the region itself has changed it in place.
    virtual void kept(const c10::OperatorHandle& op) = 0;
    virtual void dropped(const c10::OperatorHandle& op) = 0;

    /// The region is being repeated and the op ran again. May be called on another thread.
    virtual void ranAgain(const c10::OperatorHandle& op) = 0;
};

} // namespace headroom::tensor
