// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/casting/Casting.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/torch/TestDevice.h"

namespace headroom::techniques {

/// Makes all layers of a module cast, as the technique does for a model of the zoo.
struct AppliedCasting {
    AppliedCasting(torch::nn::Module& root, const CastRules& rules, const UpcastOptions& options = {},
        const std::vector<torch::nn::Module*>& blocks = {})
        : units(castUnits(root, blocks, rules))
        , stored(store(units, rules.storage))
        , layers(root, units, rules, options, count)
    {
    }

    std::vector<CastUnit> units;
    StoredWeights stored;
    std::shared_ptr<CastCount> count = std::make_shared<CastCount>();
    LayerwiseCasting layers;
};

/// The small LTX-Video of the reference values with its parameters by the fill rule.
inline std::shared_ptr<models::Model> referenceLtx()
{
    auto model = models::buildModel(config::defaultConfiguration("ltx-video-tiny", ""), onTestDevice(at::kFloat));
    reference::fillParameters(*model);
    return model;
}

/// Inputs of the first case of the reference values.
inline models::Inputs referenceLtxInputs()
{
    const auto integer = [](std::int64_t value) { return at::full({1}, value, onTestDevice(at::kLong)); };
    return {{"hidden_states", reference::filled({2, 24, 4}, reference::kHiddenSeed)},
        {"encoder_hidden_states", reference::filled({2, 5, 12}, reference::kTextSeed)},
        {"timestep", at::tensor({500.0, 37.0}).to(testDevice())}, {"num_frames", integer(2)}, {"height", integer(3)},
        {"width", integer(4)}, {"rope_interpolation_scale", at::tensor({0.32, 32.0, 32.0}).to(testDevice())},
        {"encoder_attention_mask",
            at::tensor({1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 0.0F}).to(testDevice()).view({2, 5})}};
}

/// Rounds parameters through a type, as casting would store them: what a cast model has to compute with. Exact in the
/// parameters' own type.
inline void roundParameters(const std::vector<CastUnit>& units, c10::ScalarType storage)
{
    const torch::NoGradGuard noGradients;
    for (const CastUnit& unit : units)
        for (const CastModule& module : unit.modules)
            for (at::Tensor tensor : module.tensors)
                tensor.copy_(tensor.to(storage).to(tensor.scalar_type()));
}

inline void freeze(torch::nn::Module& module)
{
    for (at::Tensor parameter : module.parameters())
        parameter.requires_grad_(false);
}

inline std::size_t tensorsOf(const torch::nn::Module& module, c10::ScalarType type)
{
    std::size_t count = 0;
    for (const at::Tensor& parameter : module.parameters())
        count += parameter.scalar_type() == type ? 1 : 0;
    return count;
}

} // namespace headroom::techniques
