// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/cost/RunCost.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::cli {

/// What `headroom cost` found.
struct CostOutcome {
    std::string experiment; ///< name
    std::string label; ///< of the trial, without its device
    std::string task; ///< what it does, in one line
    std::int64_t steps = 0;
    experiments::PriceList prices;
    std::vector<experiments::CardCost> cards; ///< in the order of sortByCost
    bool wasStopped = false;

    /// 0 it runs on a card, 1 on none, 3 nothing could be predicted, 130 interrupted.
    int exitCode() const;
};

/// A table of the cards and the document `headroom.cost/1`, whose `cards` are the records.
Report costReport(const CostOutcome& outcome);

} // namespace headroom::cli
