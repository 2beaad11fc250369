// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/Environment.h"
#include "experiments/validation/PeakCauses.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// How signed relative errors are spread. Quantiles are linear between order statistics.
struct ErrorQuantiles {
    std::size_t count = 0; ///< of errors, at least 1
    std::size_t exact = 0; ///< that are 0
    double smallest = 0;
    double p05 = 0;
    double p25 = 0;
    double median = 0;
    double p75 = 0;
    double p95 = 0;
    double largest = 0;
    double absoluteMedian = 0; ///< of the errors without their sign; so the next two
    double absoluteP95 = 0;
    double absoluteLargest = 0;

    bool operator==(const ErrorQuantiles&) const = default;
};

/// nullopt for no errors.
std::optional<ErrorQuantiles> quantilesOf(std::span<const double> errors);

/// Spearman's rank correlation: of the ranks, ties having the mean of theirs. nullopt for fewer than three pairs, and
/// where one side is the same in all.
std::optional<double> rankCorrelation(const std::vector<std::pair<double, double>>& pairs);

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
