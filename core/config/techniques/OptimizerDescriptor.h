// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// By which rule parameters are updated, and how its arithmetic is carried out.
struct OptimizerNotation {
    enum class Rule { Sgd, Adamw };
    enum class Form { Loop, Foreach, Fused };
    Rule rule = Rule::Sgd;
    Form form = Form::Loop;

    bool operator==(const OptimizerNotation&) const = default;
};

/// Parses `sgd`, `adamw`, each with `:loop` (the same as without), `:foreach`, `:fused`; throws UsageError at `where`.
OptimizerNotation parseOptimizer(const std::string& notation, const std::string& where);
std::string toText(const OptimizerNotation& optimizer);

/// What the options say, PyTorch's defaults filled in.
struct OptimizerOptions {
    double learningRate = 1e-3;
    double momentum = 0; ///< of SGD
    double weightDecay = 0; ///< SGD: added to the gradient; AdamW: of the parameter, apart from the gradient
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    std::optional<Dtype> stateDtype = std::nullopt; ///< none: the parameter's
};

OptimizerOptions optimizerOptions(const TechniqueSetting& setting);

/// The optimizer of a training step.
TechniqueDescriptor optimizerDescriptor();

} // namespace headroom::config
