// SPDX-License-Identifier: Apache-2.0
#include "core/base/Statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace headroom {
namespace {

double medianOfSorted(std::span<const double> sorted)
{
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : std::midpoint(sorted[middle - 1], sorted[middle]);
}

std::vector<double> sorted(std::span<const double> samples)
{
    std::vector<double> copy(samples.begin(), samples.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

// Linear interpolation between order statistics, the default quantile of R and NumPy (type 7).
double quantile(std::span<const double> sorted, double probability)
{
    const double position = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - std::floor(position));
}

using Groups = std::vector<std::span<const double>>;

std::size_t numberOfSamples(const Groups& groups)
{
    std::size_t count = 0;
    for (const auto& group : groups)
        count += group.size();
    return count;
}

// The standard specifies the engine's output but not that of distributions. Hence the remainder, whose bias (below
// 2^-40 for a million samples) is negligible beside the interval's own error.
std::size_t draw(std::mt19937_64& random, std::size_t below)
{
    return below == 1 ? 0 : random() % below;
}

std::vector<double> resample(const Groups& groups, std::mt19937_64& random)
{
    std::vector<double> drawn;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::span<const double> group = groups[draw(random, groups.size())];
        for (std::size_t j = 0; j < group.size(); ++j)
            drawn.push_back(group[draw(random, group.size())]);
    }
    return drawn;
}

} // namespace

std::optional<double> median(std::span<const double> samples)
{
    if (samples.empty())
        return std::nullopt;
    return medianOfSorted(sorted(samples));
}

std::optional<double> medianAbsoluteDeviation(std::span<const double> samples)
{
    const auto centre = median(samples);
    if (!centre)
        return std::nullopt;
    std::vector<double> distances;
    for (const double sample : samples)
        distances.push_back(std::abs(sample - *centre));
    return median(distances);
}

std::optional<Interval> bootstrapMedian95(std::span<const std::vector<double>> processes, std::uint64_t seed)
{
    std::vector<std::span<const double>> groups;
    for (const std::vector<double>& samples : processes)
        if (!samples.empty())
            groups.emplace_back(samples);
    if (numberOfSamples(groups) < kFewestBootstrapSamples)
        return std::nullopt;
    std::mt19937_64 random(seed);
    std::vector<double> medians;
    for (int i = 0; i < kBootstrapResamples; ++i)
        medians.push_back(*median(resample(groups, random)));
    std::sort(medians.begin(), medians.end());
    return Interval{quantile(medians, 0.025), quantile(medians, 0.975)};
}

} // namespace headroom
