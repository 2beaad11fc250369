// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/JsonLinesPrinter.h"

#include "app/cli/output/Report.h"
#include "experiments/results/TrialRecordJson.h"

#include <ostream>

namespace headroom::cli {

void JsonLinesPrinter::trialFinished(const experiments::PlannedTrial&, const experiments::TrialResult& result)
{
    m_out << jsonLine(experiments::toJson(result)) << std::endl;
}

void JsonLinesPrinter::runFinished(const experiments::RunSummary& summary)
{
    m_out << jsonLine(experiments::toJson(summary)) << std::endl;
}

} // namespace headroom::cli
