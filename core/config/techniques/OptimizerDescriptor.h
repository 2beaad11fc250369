// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// The rule by which parameters are updated, and how its arithmetic is carried out.
struct OptimizerNotation {
    enum class Rule { Sgd, Adamw };
    enum class Form { Loop, Foreach, Fused, Expressions };
    Rule rule = Rule::Sgd;
    Form form = Form::Loop;

    bool operator==(const OptimizerNotation&) const = default;
};

/// Parses `sgd`, `adamw`, optionally with `:loop` (the same as without), `:foreach`, `:fused` or `:expressions`; throws
/// UsageError at `where`.
OptimizerNotation parseOptimizer(const std::string& notation, const std::string& where);
std::string toText(const OptimizerNotation& optimizer);

/// The options, with PyTorch's defaults for those that are left out.
struct OptimizerOptions {
    double learningRate = 1e-3;
    double momentum = 0; ///< of SGD
    double weightDecay = 0; ///< SGD: added to the gradient; AdamW: applied to the parameter, not to the gradient
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    std::optional<Dtype> stateDtype = std::nullopt; ///< nothing: the parameter's dtype
};

OptimizerOptions optimizerOptions(const TechniqueSetting& setting);

/// The optimizer of a training step.
TechniqueDescriptor optimizerDescriptor();

} // namespace headroom::config
