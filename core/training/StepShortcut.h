// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "core/training/StepObserver.h"

#include <cstdint>
#include <vector>

namespace headroom::training {

/// Steps that do what the one before them did, without running it: a step after the second meets a model whose
/// optimizer and techniques have all the state that they keep. Only for trials whose steps do not differ (StepPeriod).
class StepShortcut {
public:
    virtual ~StepShortcut() = default;

    /// Around a step that runs, from before its first request until all that it returned is released.
    virtual void stepBegins(const std::vector<at::Tensor>& parameters) = 0;
    virtual void stepEnds() = 0;

    /// Does again what the last step that ran did, and leaves gradients as it did. The observer is told of the phases.
    /// False, and nothing has happened, where that is not possible.
    virtual bool repeatStep(StepObserver& observer, std::int64_t step) = 0;
};

} // namespace headroom::training
