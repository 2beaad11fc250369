// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/Problem.h"
#include "core/config/UpstreamFamily.h"
#include "core/config/Workload.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::config {

/// A named member of a family: the fields and shapes in which it differs from the family's defaults.
struct ModelVariant {
    std::string name;
    std::string title;
    ValueMap fields;
    ValueMap shapes;
    std::vector<std::string> aliases{}; ///< other names that also find it; results use `name`
    std::optional<Dtype> publishedDtype{}; ///< if it differs from the family's
};

/// Describes a model without building it: its fields, its input shapes, its closed forms.
/// All functions take complete maps (every field, every shape).
struct ModelFamily {
    std::string name;
    std::string title;
    FieldSet fields; ///< upstream's config field names
    FieldSet shapes; ///< upstream's names for the input's dimensions
    std::vector<ModelVariant> variants;
    /// Number format in which the weights are published, or in which their publishers run and train them; float32 if
    /// none are published.
    Dtype publishedDtype = Dtype::Float32;
    /// Whether the model runs in that format only, which is then the default of its workloads.
    bool hasFixedDtype = false;
    /// Whether only its name and its results are known any more, so that nothing can be said of what works with it.
    bool isGone = false;
    /// Templates that describe a workload's shapes to people, names of shape fields in braces: "{frames} frames of
    /// {height} x {width}".
    std::vector<std::string> shapeWords{};
    /// Modules that layerwise casting skips, as patterns to search in a dotted path: upstream's own for the class
    /// (`_keep_in_fp32_modules` and `_skip_layerwise_casting_patterns`), on top of the general ones.
    std::vector<std::string> castingSkipPatterns{};
    /// Linears that get adapters if none are named, as suffixes of dotted paths: the attention's projections, as in
    /// upstream's training scripts; the feed-forward's if there is no attention.
    std::vector<std::string> adapterTargets{};
    /// Whether the model contains scaled dot-product attention.
    bool hasAttention = true;
    /// Losses that make sense for the output; cross entropy needs logits over a vocabulary.
    std::vector<Loss> losses{Loss::Mean, Loss::Mse, Loss::MeanSquare};
    /// The default of its workloads.
    Loss defaultLoss = Loss::Mean;
    /// Upstream's file formats.
    UpstreamFamily upstream{};

    /// Reasons why these fields cannot work with any shapes; empty if they can.
    std::function<std::vector<Problem>(const ValueMap& fields)> fieldProblems;
    /// Reasons why fields and shapes cannot work together; problems of the fields come first.
    std::function<std::vector<Problem>(const ValueMap& fields, const ValueMap& shapes)> problems;
    /// Reasons why a workload cannot work, apart from its shapes; null: none.
    std::function<std::vector<Problem>(const Workload& workload)> workloadProblems{};
    /// Reasons why no simulated device can run it in such a step; null: none.
    std::function<std::vector<Problem>(StepKind step)> simulationProblems{};
    /// Number of parameters.
    std::function<std::int64_t(const ValueMap& fields)> parameters;
    /// Number of parameters that are kept in float32 in a model of this dtype, according to upstream's
    /// _keep_in_fp32_modules; null: all have the model's dtype.
    std::function<std::int64_t(const ValueMap& fields, Dtype dtype)> parametersInFloat32{};
    /// Floating-point operations (2 per multiply-add of matrix products) of one step.
    std::function<double(const ValueMap& fields, const ValueMap& shapes, StepKind step)> flopsPerStep;
    /// Number of tokens (samples, if the model has no tokens) that one step processes.
    std::function<std::int64_t(const ValueMap& shapes)> tokensPerStep;
    /// Number of blocks that checkpointing policies count; 0 if the family has none.
    std::function<int(const ValueMap& fields)> blocks;
    /// Inner width of each feed-forward, for techniques that split them.
    std::function<std::vector<std::int64_t>(const ValueMap& fields)> feedForwardWidths;
    /// Whether casting by group finds any: feed-forwards that are modules of their own, embeddings of time steps; null:
    /// it does.
    std::function<bool(const ValueMap& fields)> hasCastGroups{};
    /// Dotted paths of all Linears, in registration order.
    std::function<std::vector<std::string>(const ValueMap& fields)> linears;
    /// Tokens that pass through a feed-forward in one call (batch and sequence flattened).
    std::function<std::int64_t(const ValueMap& shapes)> feedForwardTokens;
};

/// One model of the catalogue: a family with the defaults of one variant.
struct ModelDescriptor {
    const ModelFamily* family = nullptr;
    std::string name;
    std::string title;
    FieldSet fields; ///< the family's, with the variant's defaults
    FieldSet shapes;
    Dtype publishedDtype = Dtype::Float32; ///< the variant's, else the family's
};

} // namespace headroom::config
