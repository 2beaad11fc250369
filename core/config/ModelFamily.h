// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/Problem.h"
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
    std::vector<std::string> aliases{}; ///< other names under which it is found; results say `name`
    std::optional<Dtype> publishedDtype{}; ///< where it is not the family's
};

/// What a model is, without building it: its fields, its input shapes, its closed forms.
/// All functions take complete maps (every field, every shape).
struct ModelFamily {
    std::string name;
    std::string title;
    FieldSet fields; ///< upstream's config field names
    FieldSet shapes; ///< upstream's words for the input's extents
    std::vector<ModelVariant> variants;
    /// Number format in which the weights are published, or in which those who published them run and train them;
    /// float32 where there are none.
    Dtype publishedDtype = Dtype::Float32;
    /// A workload's shapes for people, names of shape fields in braces: "{frames} frames of {height} x {width}".
    std::vector<std::string> shapeWords{};
    /// Modules that layerwise casting leaves alone, as patterns to search in a dotted path: upstream's own for the
    /// class
    /// (`_keep_in_fp32_modules` and `_skip_layerwise_casting_patterns`), on top of the general ones.
    std::vector<std::string> castingSkipPatterns{};
    /// Linears that get adapters where none are named, as suffixes of dotted paths: the attention's projections, as
    /// upstream's training scripts choose them; the feed-forward's where there is no attention.
    std::vector<std::string> adapterTargets{};
    /// Whether there is scaled dot-product attention in it.
    bool hasAttention = true;
    /// Losses that mean something for the output; cross entropy needs logits over a vocabulary.
    std::vector<Loss> losses{Loss::Mean, Loss::Mse, Loss::MeanSquare};

    /// Reasons why these fields cannot work, whatever the shapes are; empty when they can.
    std::function<std::vector<Problem>(const ValueMap& fields)> fieldProblems;
    /// The same of fields and shapes together: those of the fields come first.
    std::function<std::vector<Problem>(const ValueMap& fields, const ValueMap& shapes)> problems;
    /// Number of parameters.
    std::function<std::int64_t(const ValueMap& fields)> parameters;
    /// Number of parameters that are kept in float32 in a model of this dtype, as upstream's _keep_in_fp32_modules
    /// says; none: all have the model's own.
    std::function<std::int64_t(const ValueMap& fields, Dtype dtype)> parametersInFloat32{};
    /// Floating-point operations (2 per multiply-add of matrix products) of one step.
    std::function<double(const ValueMap& fields, const ValueMap& shapes, StepKind step)> flopsPerStep;
    /// Number of tokens (or samples, where there are none) that one step processes.
    std::function<std::int64_t(const ValueMap& shapes)> tokensPerStep;
    /// Number of blocks that checkpointing policies count; 0 when the family has none.
    std::function<int(const ValueMap& fields)> blocks;
    /// Widths of the inner layer of each feed-forward, for techniques that cut them.
    std::function<std::vector<std::int64_t>(const ValueMap& fields)> feedForwardWidths;
    /// Dotted paths of all Linears, in the order in which they are registered.
    std::function<std::vector<std::string>(const ValueMap& fields)> linears;
    /// Tokens that go through a feed-forward in one call (batch and sequence flattened).
    std::function<std::int64_t(const ValueMap& shapes)> feedForwardTokens;
};

/// One model of the catalogue: a family with one variant's defaults.
struct ModelDescriptor {
    const ModelFamily* family = nullptr;
    std::string name;
    std::string title;
    FieldSet fields; ///< the family's, with the variant's defaults
    FieldSet shapes;
    Dtype publishedDtype = Dtype::Float32; ///< the variant's, else the family's
};

} // namespace headroom::config
