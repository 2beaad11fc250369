// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/OffloadDescriptor.h"
#include "core/models/Model.h"

namespace headroom::techniques {

/// A parameter and the module that registered it.
struct OwnedParameter {
    const torch::nn::Module* owner = nullptr;
    at::Tensor parameter;
};

/// Parameters that are on the device together.
struct OffloadGroupPlan {
    /// The modules whose forwards need them, in the order of construction: they come with the first that runs and go
    /// after the last one.
    std::vector<const torch::nn::Module*> members;
    std::vector<OwnedParameter> parameters;
};

/// Upstream's groups. Blocks: consecutive runs of N blocks; everything else is one group of the root's. Leaf: each
/// Linear, convolution and embedding with all below it (an adapter), and each other module that has parameters of its
/// own. Model: one group. Groups without parameters are left out; a parameter that is registered twice is the first's.
std::vector<OffloadGroupPlan> offloadGroups(models::Model& model, const config::OffloadNotation& offload);

/// What has to be on the device where the module runs by itself, without the group's members around it, as it does in a
/// repetition for the backward pass: the parameters in and below it. For those of a leaf group, and for the root, the
/// group's.
std::vector<OwnedParameter> parametersAlone(
    const torch::nn::Module& module, const config::OffloadNotation& offload, const OffloadGroupPlan* group);

} // namespace headroom::techniques
