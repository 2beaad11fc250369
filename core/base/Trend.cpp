// SPDX-License-Identifier: Apache-2.0
#include "core/base/Trend.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace headroom::collectors {
namespace {

int sign(double value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

std::vector<double> sorted(std::span<const double> samples)
{
    std::vector<double> copy(samples.begin(), samples.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

// Sum of `term(t)` over the groups of t equal values.
template <typename Term> double overTies(const std::vector<double>& sorted, Term term)
{
    double sum = 0;
    for (auto begin = sorted.begin(); begin != sorted.end();) {
        const auto end = std::upper_bound(begin, sorted.end(), *begin);
        sum += term(static_cast<double>(end - begin));
        begin = end;
    }
    return sum;
}

// Of a statistic that counts, hence half a unit (one, where it moves in twos) towards zero.
double twoSided(double statistic, double variance, double correction)
{
    if (variance <= 0)
        return 1;
    const double distance = std::max(std::abs(statistic) - correction, 0.0) / std::sqrt(variance);
    return std::erfc(distance / std::numbers::sqrt2);
}

} // namespace

double medianOf(std::span<const double> samples)
{
    const std::vector<double> copy = sorted(samples);
    const std::size_t middle = copy.size() / 2;
    return copy.size() % 2 == 1 ? copy[middle] : std::midpoint(copy[middle - 1], copy[middle]);
}

double theilSenSlope(std::span<const double> samples)
{
    std::vector<double> slopes;
    slopes.reserve(samples.size() * (samples.size() - 1) / 2);
    for (std::size_t later = 1; later < samples.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            slopes.push_back((samples[later] - samples[earlier]) / static_cast<double>(later - earlier));
    return medianOf(slopes);
}

double mannKendallProbability(std::span<const double> samples)
{
    double statistic = 0;
    for (std::size_t later = 1; later < samples.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            statistic += sign(samples[later] - samples[earlier]);
    const auto term = [](double t) { return t * (t - 1) * (2 * t + 5) / 18; };
    return twoSided(statistic, term(static_cast<double>(samples.size())) - overTies(sorted(samples), term), 1);
}

double mannWhitneyProbability(std::span<const double> left, std::span<const double> right)
{
    double statistic = 0; // right above left, less left above right
    for (const double a : left)
        for (const double b : right)
            statistic += sign(b - a);
    std::vector<double> all(left.begin(), left.end());
    all.insert(all.end(), right.begin(), right.end());
    const auto n = static_cast<double>(all.size());
    const double ties = overTies(sorted(all), [](double t) { return t * t * t - t; });
    const double pairs = static_cast<double>(left.size()) * static_cast<double>(right.size());
    return twoSided(statistic, pairs / 3 * (n + 1 - ties / (n * (n - 1))), 1);
}

} // namespace headroom::collectors
