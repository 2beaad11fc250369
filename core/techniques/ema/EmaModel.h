// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/ema/EmaShadow.h"

#include <optional>

namespace headroom::techniques {

/// All that an EMA is: what is saved and what a run is resumed from. Tensors are references to the shadow.
struct EmaState {
    config::EmaSchedule schedule{};
    std::int64_t optimizationStep = 0; ///< updates so far
    std::optional<Tensors> shadow{};
};

/// An exponential moving average of parameters: diffusers' EMAModel, wherever its shadow lives. Usable without a
/// technique or a model. Parameters are matched by position; lists of another length are refused.
class EmaModel {
public:
    /// The shadow begins as what the parameters were when it was made (makeEmaShadows).
    EmaModel(const config::EmaSchedule& schedule, std::unique_ptr<EmaShadow> shadow);
    /// One shadow by itself: the first of the settings' schedules.
    EmaModel(const config::EmaSettings& settings, const Tensors& parameters);

    /// One update. The parameters must not be changed before `letComputeWait`, where a shadow is updated beside.
    void step(const Tensors& parameters);
    void letComputeWait() { m_shadow->letComputeWait(); }
    /// All updates are done, and the host may read the shadow.
    void finish() { m_shadow->finish(); }

    /// The parameters become the shadow, one after the other: no second set of moved copies exists.
    void copyTo(const Tensors& parameters);
    /// Keeps a copy of the parameters in host memory, to bring back after `copyTo`.
    void store(const Tensors& parameters);
    /// Throws UsageError where nothing is stored. What was stored is dropped.
    void restore(const Tensors& parameters);

    /// Finished. Later updates go on in the same tensors.
    EmaState state();
    /// Takes over a state by value; a shadow that it lacks stays. Throws UsageError for values out of their range and
    /// for a shadow of other shapes.
    void load(const EmaState& state);

    const config::EmaSchedule& schedule() const { return m_schedule; }
    /// Updates so far. Set it where a run is resumed from elsewhere: the decay would begin again at 0.
    std::int64_t optimizationStep() const { return m_optimizationStep; }
    void setOptimizationStep(std::int64_t updates);
    /// Of the last update; 0 before the first.
    double currentDecay() const { return m_decay; }
    const Tensors& shadow() const { return m_shadow->tensors(); }
    EmaShadow& placement() { return *m_shadow; }
    const EmaShadow& placement() const { return *m_shadow; }

private:
    config::EmaSchedule m_schedule;
    std::unique_ptr<EmaShadow> m_shadow;
    std::int64_t m_optimizationStep = 0;
    double m_decay = 0;
    Tensors m_stored;
};

} // namespace headroom::techniques
