// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/Technique.h"
#include "core/techniques/ema/EmaModel.h"

namespace headroom::techniques {

/// Shadows of the weights that follow them slowly, on the device or in host memory.
///
/// An update follows the optimizer's. On side streams it begins with the next step and is over before that step's first
/// backward has been followed by anything, so that it runs beside a forward and a backward pass, also where the device
/// is waited for between steps.
class Ema final : public Technique {
public:
    explicit Ema(const config::TechniqueSetting& setting);

    /// Throws TrialError in steps that change the parameters before an update has read them.
    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;

    /// Updates that are due or under way are done then.
    void finish();
    /// One for each schedule, finished.
    std::vector<EmaModel>& states();
    /// What they follow.
    const Tensors& parameters() const { return m_parameters; }

private:
    StepHooks stepHooks();
    void beginStep();
    void updateDue();
    void letComputeWait();
    void parametersUpdated();
    void update();

    config::EmaSettings m_settings;
    Tensors m_parameters;
    std::vector<EmaModel> m_states;
    std::int64_t m_optimizerUpdates = 0;
    std::int64_t m_updates = 0; ///< in this step
    bool m_isDue = false;
};

} // namespace headroom::techniques
