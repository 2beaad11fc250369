// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"

#include <functional>

namespace headroom::techniques {

/// How parameters are updated: what an optimizer is to a step.
class ParameterUpdater {
public:
    virtual ~ParameterUpdater() = default;
    /// Updates the parameters that have gradients. `parameters` are the trainable ones, the same each time.
    virtual void update(const std::vector<at::Tensor>& parameters) = 0;
};

/// One technique's part in the steps of a model that it is applied to. What is not set is not called. Hooks refer to
/// their technique, which outlives them.
///
/// A step calls them in this order: beginStep; for each micro-step prepareInputs, forward, backward, microStepDone;
/// then the optimizer, parametersUpdated, updateDone. Inference: beginStep, prepareInputs, forward. Among techniques
/// each is called in the order in which they are applied, but prepareInputs.
struct StepHooks {
    /// The batch that steps will use, once before the first: it may be put where the technique keeps it.
    std::function<void(models::Inputs&)> holdInputs{};
    /// A step begins: counters that count per step are cleared.
    std::function<void()> beginStep{};
    /// The batch is about to be used; it may be replaced by another copy of it. The technique that is applied last
    /// comes first, from the host towards the layers: a batch crosses as it is, and is cast on the device.
    std::function<void(models::Inputs&)> prepareInputs{};
    /// A micro-step's backward is done; its loss, without graph.
    std::function<void(const at::Tensor& loss)> microStepDone{};
    /// Takes the place of plain gradient descent; of several the first does. Borrowed from the technique.
    ParameterUpdater* optimizer = nullptr;
    /// The optimizer has changed the parameters. Runs in a phase of its own, with the technique's key as its name. Not
    /// called where an update is left out.
    std::function<void()> parametersUpdated{};
    /// The update is done; the sum of its micro-steps' losses, without graph.
    std::function<void(const at::Tensor& loss)> updateDone{};
};

} // namespace headroom::techniques
