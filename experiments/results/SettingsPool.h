// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/SharedPool.h"
#include "experiments/results/TrialResult.h"

#include <vector>

namespace headroom::experiments {

/// Lets the results of a sweep share what they have alike: settings, and what techniques counted. Of ten thousand
/// trials that is most of what a result holds beside its figures.
class SettingsPool {
public:
    void share(TrialResult& result);

private:
    SharedPool<NamedValues> m_values;
    SharedPool<std::vector<TechniqueResult>> m_techniques;
    SharedPool<Engagement> m_engagements;
};

} // namespace headroom::experiments
