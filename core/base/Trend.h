// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace headroom {

/// Theil-Sen: the median of the slopes between all pairs, per step. At least two samples.
double theilSenSlope(std::span<const double> samples);

/// Two-sided probability that samples without a trend rise or fall as steadily as these (Mann-Kendall, normal
/// approximation with ties and continuity correction). At least two samples.
double mannKendallProbability(std::span<const double> samples);

/// Two-sided probability that samples of one distribution stand as far apart as these two sets (Mann-Whitney, the same
/// approximation). Neither may be empty.
double mannWhitneyProbability(std::span<const double> left, std::span<const double> right);

} // namespace headroom
