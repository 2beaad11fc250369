// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportContent.h"

#include "experiments/results/AddressEffect.h"

namespace headroom::report {

std::string addressesNote(const ReportContent& content)
{
    return experiments::addressesSentenceOf(content.trials, &ReportTrial::result);
}

} // namespace headroom::report
