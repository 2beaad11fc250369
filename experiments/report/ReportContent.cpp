// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportContent.h"

#include "experiments/results/AddressEffect.h"
#include "experiments/results/KnownErrors.h"

#include <algorithm>

namespace headroom::report {

std::size_t ReportContent::notRun() const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        trials, [](const ReportTrial& trial) { return trial.result.outcome == Outcome::NotRun; }));
}

std::string predictionNotes(const ReportContent& content)
{
    const std::string addresses = experiments::addressesSentenceOf(content.trials, &ReportTrial::result);
    const std::string errors = experiments::knownErrorsTextOf(content.trials, &ReportTrial::result);
    return addresses + (addresses.empty() || errors.empty() ? "" : " ") + errors;
}

} // namespace headroom::report
