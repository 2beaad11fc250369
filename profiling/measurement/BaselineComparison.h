// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/Configuration.h"
#include "profiling/measurement/FirstStep.h"
#include "profiling/measurement/Instruments.h"

#include <optional>

namespace headroom::collectors {

/// Memory that can still be allocated without this process or another one being killed for it: what the kernel reports
/// as available, within the limit of the control group; nullopt where the system does not report it.
std::optional<Bytes> availableHostBytes();

/// During its lifetime this process cannot map more than was available at construction: work of unknown size fails
/// instead of being killed.
class HostMemoryGuard {
public:
    HostMemoryGuard();
    ~HostMemoryGuard();
    HostMemoryGuard(const HostMemoryGuard&) = delete;
    HostMemoryGuard& operator=(const HostMemoryGuard&) = delete;

private:
    std::optional<Bytes> m_limitBefore; ///< none: nothing was changed
};

/// Compares the first step of a trial with that of its baseline (the same task without techniques): the same fresh
/// weights, inputs and random state, one after the other. The trial, which is known to fit, runs first.
class BaselineComparison {
public:
    /// All arguments are borrowed.
    BaselineComparison(const config::Trial& trial, const models::Inputs& inputs, Instruments& instruments);

    /// The trial's step, on a model with its initial weights. Its output is moved to host memory, as the baseline may
    /// need every byte of the device.
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
