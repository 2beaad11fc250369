// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportContent.h"

#include "experiments/results/AddressEffect.h"
#include "experiments/results/KnownErrors.h"

namespace headroom::report {

std::string predictionNotes(const ReportContent& content)
{
    const std::string addresses = experiments::addressesSentenceOf(content.trials, &ReportTrial::result);
    const std::string errors = experiments::knownErrorsTextOf(content.trials, &ReportTrial::result);
    return addresses + (addresses.empty() || errors.empty() ? "" : " ") + errors;
}

} // namespace headroom::report
