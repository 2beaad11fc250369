// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace headroom {

/// Theil-Sen slope: the median of the slopes between all pairs of samples, per step. Needs at least two samples.
double theilSenSlope(std::span<const double> samples);

/// Two-sided p-value of the Mann-Kendall test: the probability that samples without a trend rise or fall as steadily as
/// these (normal approximation with tie and continuity corrections). Needs at least two samples.
double mannKendallProbability(std::span<const double> samples);

/// Two-sided p-value of the Mann-Whitney test: the probability that two samples of one distribution lie as far apart as
/// these (the same approximation). Neither may be empty.
double mannWhitneyProbability(std::span<const double> left, std::span<const double> right);

} // namespace headroom
