// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/SettingsPool.h"
#include "experiments/results/TrialResult.h"
#include "experiments/run/RepeatStore.h"
#include "experiments/verdict/DeviceFit.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// The records of a run's trials. They are made when a trial is complete, which for one of an earlier run is when it is
/// read: what the repeats hold beside their texts is not kept then.
class TrialRecords {
public:
    /// All are borrowed.
    TrialRecords(const std::string& experiment, const std::vector<PlannedTrial>& trials, DeviceFit& deviceFit)
        : m_experiment(experiment)
        , m_trials(trials)
        , m_deviceFit(deviceFit)
        , m_all(trials.size())
    {
    }

    bool has(std::size_t trial) const { return m_all[trial].has_value(); }
    const TrialResult& of(std::size_t trial) const { return *m_all[trial]; }
    void make(std::size_t trial, RepeatStore::Results::value_type& repeats);

    /// Raises the flags that depend on other trials.
    void flagSweep();
    /// By trial; nothing where it has none.
    const SweepResults& all() const { return m_all; }
    SweepResults take() { return std::move(m_all); }

private:
    const std::string& m_experiment;
    const std::vector<PlannedTrial>& m_trials;
    DeviceFit& m_deviceFit;
    SettingsPool m_pool; ///< of what they have alike
    SweepResults m_all;
};

} // namespace headroom::experiments
