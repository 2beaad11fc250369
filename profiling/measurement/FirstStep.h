// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"

namespace headroom::collectors {

/// A model with the techniques that are applied to it; the order of the members is that of their lifetimes.
struct LoadedModel {
    std::unique_ptr<techniques::TechniqueStack> techniques;
    std::shared_ptr<models::Model> model;
};

/// The model of a configuration, with its weights where the techniques keep them; the techniques are not applied yet.
/// The weights are the same each time. `plain`: the weights stay as they were built.
enum class WeightPlacement { AsTechniquesKeepThem, Plain };
LoadedModel freshModel(const config::Configuration& configuration, const config::DeviceSpec& device,
    WeightPlacement placement, config::ShapesAre shapes = config::ShapesAre::Known);

/// The results of a model's first step, computed in float64 from the tensors that the step left behind.
struct FirstStep {
    at::Tensor output; ///< of the last micro-step
    std::optional<double> loss; ///< of that output; none for inference
    std::optional<double> gradNorm; ///< joint L2 norm after accumulation, before clipping; none without gradients
};

/// Runs one step: the workload's forward and backward, without clipping or an optimizer step. The same `seed` gives
/// every model the same random state, so that dropout and random targets are equal where a technique does not change
/// the order of random draws. `hooks` are those of the techniques, empty without any. The gradients are released
/// afterwards.
FirstStep firstStep(models::Model& model, const techniques::StepHookLists& hooks, const config::Workload& workload,
    const models::Inputs& inputs, training::StepObserver& observer, std::int64_t seed);

/// The deviation of a step from the baseline's. Nullopt if the outputs cannot be compared.
std::optional<protocol::Numerics> deviation(const FirstStep& step, const FirstStep& baseline);

} // namespace headroom::collectors
