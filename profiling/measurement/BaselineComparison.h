// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "profiling/measurement/FirstStep.h"
#include "profiling/measurement/Instruments.h"

namespace headroom::collectors {

/// Compares the first step of a trial with that of its baseline (the same task without levers): the same fresh weights,
/// inputs and random state, one after the other. First the trial, which is known to fit.
class BaselineComparison {
public:
    /// All borrowed.
    BaselineComparison(const config::Trial& trial, const models::Inputs& inputs, Instruments& instruments);

    /// The trial's step, on a model whose weights are as they were made. Its output is put into host memory, as the
    /// baseline may need every byte of a device.
    FirstStep stepOf(models::Model& model, techniques::TechniqueStack& techniques);

    /// Builds the baseline and runs its step. Running out of memory is thrown as by any step.
    std::optional<protocol::Numerics> withBaseline(const FirstStep& step);

private:
    FirstStep run(models::Model& model, techniques::TechniqueStack& techniques);

    const config::Trial& m_trial;
    const models::Inputs& m_inputs;
    Instruments& m_instruments;
};

} // namespace headroom::collectors
