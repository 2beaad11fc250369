// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/Environment.h"
#include "experiments/validation/ErrorQuantiles.h"
#include "experiments/validation/PeakCauses.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What one validation compared, and what came out: "headroom.validation/1".
struct ValidationDocument {
    std::string device; ///< that was measured
    std::string deviceTitle; ///< the processor or the card; empty: not known
    std::string against; ///< that was simulated, with its runtime
    std::string date; ///< on which it began, as 2026-11-23
    std::vector<std::string> models; ///< of which was drawn
    std::string filter; ///< as it was given; empty: none
    std::int64_t asked = 0; ///< trials
    unsigned seed = 0;
    int jobs = 1;
    bool isInterrupted = false;
    double wallSeconds = 0;
    Environment environment;
    std::vector<ValidationRow> rows; ///< in the order of the draw
    std::vector<PeakCause> causes; ///< of the worst rows, worst first

    std::optional<ErrorQuantiles> allocatedErrors() const;
    std::optional<ErrorQuantiles> reservedErrors() const;
    std::optional<ErrorQuantiles> stepErrors() const;
    /// Of the step times that both sides have.
    std::optional<double> stepRankCorrelation() const;
    /// Rows whose two sides completed but keep different amounts in host memory.
    std::int64_t hostDifferences() const;
    /// Rows that failed, timed out or were not carried out on a side.
    std::int64_t unanswered() const;
};

/// Today, in UTC.
std::string today();

/// The names of machine and kernel are left out: the document is stored and sent around.
OrderedJson toJson(const ValidationDocument& document);

} // namespace headroom::experiments
