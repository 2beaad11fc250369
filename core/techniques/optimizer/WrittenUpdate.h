// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/optimizer/UpdateRule.h"

namespace headroom::techniques {

/// An update as a person writes it in Python, from the formula: `m = beta1 * m + (1 - beta1) * g`. Each operator makes
/// a tensor, new state takes the place of the old, and a parameter without state begins with `state.get("m",
/// torch.zeros_like(g))`, whose zeros are made whether they are needed or not.
///
/// One object stands for one call of a function that goes through the parameters: what its variables hold lives until
/// the next parameter's values are assigned to them, or until functionEnds().
class WrittenUpdate {
public:
    WrittenUpdate(config::OptimizerNotation::Rule rule, const config::OptimizerOptions& options);

    /// Changes the parameter in place and replaces its state, whose `updates` count this one.
    void update(at::Tensor parameter, OptimizerState& state);
    void functionEnds() { m_variables = {}; }

private:
    /// Of the function, in the order in which each parameter's values are assigned.
    struct Variables {
        at::Tensor gradient, oldFirst, oldSecond, first, second;
    };

    void sgd(at::Tensor& parameter, OptimizerState& state);
    void adamw(at::Tensor& parameter, OptimizerState& state);
    at::Tensor stateOrZeros(const at::Tensor& kept) const;

    config::OptimizerNotation::Rule m_rule;
    config::OptimizerOptions m_options;
    Variables m_variables;
};

} // namespace headroom::techniques
