// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
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

} // namespace headroom::experiments
