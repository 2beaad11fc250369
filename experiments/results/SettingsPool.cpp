// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/SettingsPool.h"

namespace headroom::experiments {

void SettingsPool::share(TrialResult& result)
{
    for (TechniqueResult& technique : result.techniques.edit())
        technique.options = m_values.shared(technique.options);
    result.techniques = m_techniques.shared(result.techniques);
    result.model.overrides = m_values.shared(result.model.overrides);
    result.workload = m_values.shared(result.workload);
    result.engagement = m_engagements.shared(result.engagement);
}

} // namespace headroom::experiments
