// SPDX-License-Identifier: Apache-2.0
#include "core/base/Trend.h"

#include "core/base/Statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace headroom {
namespace {

int sign(double value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Sum of `term(t)` over the groups of t tied values.
template <typename Term> double overTies(std::vector<double> samples, Term term)
{
    std::sort(samples.begin(), samples.end());
    double sum = 0;
    for (auto begin = samples.begin(); begin != samples.end();) {
        const auto end = std::upper_bound(begin, samples.end(), *begin);
        sum += term(static_cast<double>(end - begin));
        begin = end;
    }
    return sum;
}

// The continuity correction for a statistic of counts is half a unit towards zero (one, if it moves in steps of two).
double twoSided(double statistic, double variance, double correction)
{
    if (variance <= 0)
        return 1;
    const double distance = std::max(std::abs(statistic) - correction, 0.0) / std::sqrt(variance);
    return std::erfc(distance / std::numbers::sqrt2);
}

} // namespace

double theilSenSlope(std::span<const double> samples)
{
    std::vector<double> slopes;
    slopes.reserve(samples.size() * (samples.size() - 1) / 2);
    for (std::size_t later = 1; later < samples.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            slopes.push_back((samples[later] - samples[earlier]) / static_cast<double>(later - earlier));
    return *median(slopes);
}

double mannKendallProbability(std::span<const double> samples)
{
    double statistic = 0;
    for (std::size_t later = 1; later < samples.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            statistic += sign(samples[later] - samples[earlier]);
    const auto term = [](double t) { return t * (t - 1) * (2 * t + 5) / 18; };
    return twoSided(
        statistic, term(static_cast<double>(samples.size())) - overTies({samples.begin(), samples.end()}, term), 1);
}

double mannWhitneyProbability(std::span<const double> left, std::span<const double> right)
{
    double statistic = 0; // pairs with right above left minus pairs with right below left
    for (const double a : left)
        for (const double b : right)
            statistic += sign(b - a);
    std::vector<double> all(left.begin(), left.end());
    all.insert(all.end(), right.begin(), right.end());
    const auto n = static_cast<double>(all.size());
    const double ties = overTies(all, [](double t) { return t * t * t - t; });
    const double pairs = static_cast<double>(left.size()) * static_cast<double>(right.size());
    return twoSided(statistic, pairs / 3 * (n + 1 - ties / (n * (n - 1))), 1);
}

} // namespace headroom
