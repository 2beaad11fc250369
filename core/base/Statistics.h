// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headroom {

/// The middle value, or the mean of the two middle ones; nothing for no samples.
std::optional<double> median(std::span<const double> samples);

/// Median of the distances from the median (not scaled to a standard deviation); nothing for no samples.
std::optional<double> medianAbsoluteDeviation(std::span<const double> samples);

struct Interval {
    double low = 0;
    double high = 0;

    bool operator==(const Interval&) const = default;
};

inline constexpr int kBootstrapResamples = 2000;
/// Fewer samples cannot support an interval of this confidence.
inline constexpr std::size_t kFewestBootstrapSamples = 3;

/// Percentile bootstrap interval for the median of all samples with 95 % coverage: the 2.5 % and 97.5 % quantiles
/// (linear between order statistics) of the medians of resamples. `processes` holds the samples of each process; a
/// resample draws processes and then samples within each, because samples of one process are correlated. The same seed
/// gives the same interval on every machine. Nothing for fewer than `kFewestBootstrapSamples` samples in all.
std::optional<Interval> bootstrapMedian95(std::span<const std::vector<double>> processes, std::uint64_t seed = 0);

} // namespace headroom
