// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

inline constexpr const char* kOptimizerKey = "optimizer";

/// The rule by which parameters are updated, and how its arithmetic is carried out.
struct OptimizerNotation {
    enum class Rule { Sgd, Adamw };
    enum class Form { Loop, Foreach, Fused, Expressions };
    Rule rule = Rule::Sgd;
    Form form = Form::Loop;

    bool operator==(const OptimizerNotation&) const = default;
};

/// Parses `sgd`, `adamw`, optionally with `:loop`, `:foreach`, `:fused` or `:expressions`; a trial's own without a form
/// is the loop. Throws UsageError at `where`.
OptimizerNotation parseOptimizer(const std::string& notation, const std::string& where);

/// `sgd` for its loop, which is the default; every other one names its form.
std::string toText(const OptimizerNotation& optimizer);

/// The canonical notation of the optimizer that somebody means who gives this one for a device. Without a form it has
/// that which torch/optim/optimizer.py (_default_to_fused_or_foreach) takes: foreach on CUDA, the loop on the CPU;
/// `sgd` without options, which takes the same memory in both, stays the default. `given`: the options that somebody
/// set. Throws UsageError at `where`.
std::string optimizerMeant(
    const std::string& notation, const ValueMap& given, DeviceKind device, const std::string& where);

/// Of a notation: what ids are made of. Trials had AdamW's loop without its form.
std::string optimizerInIds(const std::string& notation);

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
