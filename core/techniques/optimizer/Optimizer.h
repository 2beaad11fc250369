// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/Technique.h"
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

/// The optimizer: SGD or AdamW, one parameter after the other, on lists, in one kernel, or operator by operator as
/// Python would write it.
///
/// State is made at a parameter's first update, on the device, and stays there; a parameter without gradient is left
/// out and gets none. Where the state has another dtype than the parameter, an update is computed in the wider of the
/// two, with temporaries in it. Parameters with a home elsewhere are fetched in runs and updated there.
class Optimizer final : public Technique, public ParameterUpdater {
public:
    explicit Optimizer(const config::TechniqueSetting& setting);
    ~Optimizer() override;

    StepHooks apply(models::Model& model) override;
    void update(const std::vector<at::Tensor>& parameters) override;
    Counters counters() const override;
    std::string effective() const override;

    /// Of a parameter by its place in the list; for tests.
    const OptimizerState& stateOf(std::size_t index) const { return m_states.at(index); }

private:
    struct Slot;

    void beginStep();
    void updateRun(const std::vector<Slot>& slots);
    void updateWritten(const Slot& slot);
    void updateTogether(const std::vector<Slot>& slots);
    OptimizerState& prepared(const Slot& slot);
    c10::ScalarType stateType(const at::Tensor& parameter) const;

    config::OptimizerNotation m_notation;
    config::OptimizerOptions m_options;
    std::unique_ptr<UpdateRule> m_rule;
    WrittenUpdate m_written;
    std::vector<at::Tensor> m_parameters;
    std::vector<OptimizerState> m_states; ///< as the parameters
    std::int64_t m_updated = 0;
};

/// The optimizer where none is chosen: gradient descent with PyTorch's defaults.
std::unique_ptr<ParameterUpdater> plainOptimizer();

} // namespace headroom::techniques
