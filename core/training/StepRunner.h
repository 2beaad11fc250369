// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastLists.h"
#include "core/config/Workload.h"
#include "core/models/LanguageModel.h"
#include "core/techniques/stack/StepHookLists.h"
#include "core/tensor/Torch.h"
#include "core/training/StepObserver.h"

#include <memory>
#include <optional>
#include <vector>

namespace headroom::training {

/// Whether all gradients of an update are numbers. Unknown where nothing is computed (simulated devices).
enum class GradientCheck { Finite, NotFinite };

/// A factor on the loss that keeps float16's gradients from vanishing, as PyTorch's GradScaler with its defaults: 65536
/// at first; half as large after an update whose gradients were infinite or no numbers, twice as large after 2000
/// updates without such. Scale and count of good updates are scalars on the device.
class LossScale {
public:
    explicit LossScale(c10::Device device);

    at::Tensor scaled(const at::Tensor& loss) const { return loss * m_scale; }

    /// Divides the gradients by the scale, in place, and notes whether any is infinite or no number.
    void unscale(const std::vector<at::Tensor>& parameters);

    /// Of the gradients that were unscaled last; waits for the device.
    GradientCheck check() const;

    /// Adapts the scale to what `unscale` found.
    void adapt();

    /// All that it keeps: scalars.
    std::vector<at::Tensor> scalars() const { return {m_scale, m_goodUpdates, m_foundInfinite}; }

    const at::Tensor& scale() const { return m_scale; }

private:
    at::Tensor m_scale;
    at::Tensor m_goodUpdates;
    at::Tensor m_foundInfinite;
};

/// What a step leaves behind: the last forward's output and the loss, without graph.
struct StepOutput {
    /// Undefined after a backward pass, unless the workload holds it.
    at::Tensor output;
    /// In its place where the loss is computed in chunks and the workload holds the output: the logits of each.
    std::vector<at::Tensor> chunks{};
    /// Beside it where the loss is the model's own and the workload holds the output: what else the forward returned.
    std::vector<at::Tensor> others{};
    /// The update's: the mean over its micro-steps. Undefined for inference. Where there are several, the next step
    /// writes into the same scalar.
    at::Tensor loss;
};

/// Runs steps of one workload on one model.
///
/// A step is: gradients cleared as the workload says; `accumulate` times forward and backward; clipping; the optimizer.
/// An inference step is the forward alone, without gradients. The loss of several micro-steps is summed on the device.
///
/// A step with a backward pass lets the model's output go when the loss is there, unless the workload holds it: then it
/// stays through the backward pass and the update. An inference step's output is its result, and stays in any case.
///
/// With a loss in chunks a language model gives the logits of one piece of each sequence after the other, and the loss
/// is computed for one after the other. They are released, or held, as the output is.
///
/// A fused loss takes the last hidden states in place of the output, of which there is none (FusedCrossEntropy.h).
///
/// With autocast the forward's ops are cast as LibTorch's autocast of the model's device casts them, and the loss is
/// computed in float32. Under float16 the loss is scaled before the backward pass and the gradients are unscaled before
/// they are clipped; an update whose gradients are not finite is left out.
class StepRunner {
public:
    /// Model, observer and the techniques that `hooks` refer to are borrowed. The techniques have been applied to the
    /// model; without any, hooks are empty.
    StepRunner(models::Model& model, techniques::StepHookLists hooks, const config::Workload& workload,
        models::Inputs inputs, StepObserver& observer);

    /// The result keeps what it has of the output alive as long as the caller holds it.
    StepOutput run(std::int64_t step);

    /// Trainable parameters, in registration order.
    const std::vector<at::Tensor>& parameters() const { return m_parameters; }

    /// The batch, where the techniques keep it.
    const models::Inputs& inputs() const { return m_inputs; }

    /// What the loss compares the output with, once a step has run; undefined for losses that look at it alone.
    const at::Tensor& target() const { return m_target; }

private:
    at::Tensor runInference(std::int64_t step);
    StepOutput runMicroStep(std::int64_t step);
    models::Inputs inputsOfMicroStep();
    /// The model's output, or the logits of each chunk.
    std::vector<at::Tensor> outputsOfMicroStep();
    std::vector<at::Tensor> logitsInChunks(const models::Inputs& inputs);
    /// `outputs` become the model's output, or the logits of each chunk.
    at::Tensor forwardAndLoss(std::vector<at::Tensor>& outputs);
    at::Tensor fusedLoss();
    void labelTokens(const models::Inputs& inputs);
    models::LanguageModel& languageModel(const char* key, const std::string& found) const;
    at::Tensor lossOfMicroStep(const std::vector<at::Tensor>& outputs);
    at::Tensor lossOfOutput(const at::Tensor& output);
    void hold(const std::vector<at::Tensor>& outputs, StepOutput& result) const;
    void labelScalars() const;
    void addToSum(const at::Tensor& loss);
    void update(std::int64_t step);
    void unscale(std::int64_t step);
    void optimize(std::int64_t step);
    techniques::ParameterUpdater& optimizer();

    models::Model& m_model;
    techniques::StepHookLists m_hooks;
    config::Workload m_workload;
    models::Inputs m_inputs;
    StepObserver& m_observer;
    std::vector<at::Tensor> m_parameters;
    at::Tensor m_target;
    at::Tensor m_lossSum; ///< where there are several micro-steps
    bool m_isLossFused;
    std::int64_t m_lossChunks; ///< 1: the whole output's loss
    std::optional<c10::ScalarType> m_autocast;
    tensor::AutocastLists m_autocastLists;
    std::optional<LossScale> m_lossScale;
    std::unique_ptr<techniques::ParameterUpdater> m_plainOptimizer;
};

} // namespace headroom::training
