// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/Technique.h"
#include "core/techniques/optimizer/UpdateRule.h"
#include "core/techniques/optimizer/WrittenUpdate.h"

namespace headroom::techniques {

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
