// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/TrialRecords.h"

#include "experiments/results/MergedRepeats.h"
#include "experiments/verdict/Plausibility.h"

namespace headroom::experiments {

void TrialRecords::make(std::size_t trial, RepeatStore::Results::value_type& repeats)
{
    std::vector<protocol::RepeatResult> results;
    for (auto& [repeat, kept] : repeats) {
        results.push_back(kept.result());
        kept.pack();
    }
    TrialResult& record = m_all[trial].emplace(trialResult(m_experiment, m_trials[trial], results,
        [&](const auto& planned, const auto& memory) { return m_deviceFit.fits(planned, memory); }));
    record.errorBound = m_deviceFit.errorBound(record);
    m_pool.share(record);
}

void TrialRecords::flagSweep()
{
    applyPlausibility(m_all, [&](const std::string& device) { return m_deviceFit.peakFlops(device); });
}

} // namespace headroom::experiments
