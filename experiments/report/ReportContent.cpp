// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportContent.h"

#include "experiments/AddressEffect.h"

namespace headroom::report {

std::string addressesNote(const ReportContent& content)
{
    std::vector<double> effects;
    for (const ReportTrial& trial : content.trials)
        if (const auto effect = experiments::addressesEffect(trial.record))
            effects.push_back(*effect);
    return experiments::addressesSentence(effects);
}

} // namespace headroom::report
