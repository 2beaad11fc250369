// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"
#include "core/models/Model.h"
#include "core/techniques/TechniqueStack.h"
#include "core/training/StepObserver.h"

namespace headroom::training {

/// What a step leaves behind: the last forward's output (without graph) and the loss.
struct StepOutput {
    at::Tensor output;
    at::Tensor loss; ///< undefined for inference
};

/// Runs steps of one workload on one model.
///
/// A step is: gradients cleared as the workload says; `accumulate` times forward and backward; clipping; the optimizer.
/// An inference step is the forward alone, without gradients. `train` uses plain SGD.
class StepRunner {
public:
    /// Model, techniques and observer are borrowed; `techniques` may be null.
    StepRunner(models::Model& model, techniques::TechniqueStack* techniques, const config::Workload& workload,
        models::Inputs inputs, StepObserver& observer);

    /// The result keeps the output alive as long as the caller holds it.
    StepOutput run(std::int64_t step);

    /// Trainable parameters, in registration order.
    const std::vector<at::Tensor>& parameters() const { return m_parameters; }

    /// What the loss compares the output with, once a step has run; undefined for losses that look at it alone.
    const at::Tensor& target() const { return m_target; }

private:
    at::Tensor runInference(std::int64_t step);
    StepOutput runMicroStep(std::int64_t step);
    void update(std::int64_t step);

    models::Model& m_model;
    techniques::TechniqueStack* m_techniques;
    config::Workload m_workload;
    models::Inputs m_inputs;
    StepObserver& m_observer;
    std::vector<at::Tensor> m_parameters;
    at::Tensor m_target;
};

} // namespace headroom::training
