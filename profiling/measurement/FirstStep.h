// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"

namespace headroom::collectors {

/// A model with the techniques that are applied to it; declared in the order of their lives.
struct LoadedModel {
    std::unique_ptr<techniques::TechniqueStack> techniques;
    std::shared_ptr<models::Model> model;
};

/// The model of a configuration, with its weights where the techniques keep them; they are not applied yet. The same
/// weights each time. `plain`: the weights stay as they were built.
enum class WeightPlacement { AsTechniquesKeepThem, Plain };
LoadedModel freshModel(const config::Configuration& configuration, const config::DeviceSpec& device,
    WeightPlacement placement, config::ShapesAre shapes = config::ShapesAre::Known);

/// What the first step of a model gives, computed in float64 from the tensors that the step left behind.
struct FirstStep {
    at::Tensor output; ///< of the last micro-step
    std::optional<double> loss; ///< of that output; none for inference
    std::optional<double> gradNorm; ///< joint L2 norm after accumulation, before clipping; none without gradients
};

/// Runs one step: the workload's forward and backward, neither clipped nor followed by the optimizer. The same `seed`
/// gives the same random state to every model, so that dropout and random targets are equal where a technique leaves
/// the order of random draws alone. `hooks` are those of the techniques, empty without any. Gradients are gone
/// afterwards.
FirstStep firstStep(models::Model& model, const techniques::StepHookLists& hooks, const config::Workload& workload,
    const models::Inputs& inputs, training::StepObserver& observer, std::int64_t seed);

/// How far a step is from that of the baseline. Nothing when the outputs cannot be compared.
std::optional<protocol::Numerics> deviation(const FirstStep& step, const FirstStep& baseline);

} // namespace headroom::collectors
