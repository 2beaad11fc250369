// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ErrorQuantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::experiments {
namespace {

constexpr std::size_t kFewestRankedPairs = 3;

double quantileOf(const std::vector<double>& sorted, double share)
{
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

std::vector<double> sortedErrors(std::vector<double> errors)
{
    std::ranges::sort(errors);
    return errors;
}

// Each value's place among all, from 1; equal values share the mean of their places.
std::vector<double> ranksOf(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t index) { return values[index]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        for (end = first + 1; end < order.size() && values[order[end]] == values[order[first]];)
            ++end;
        for (std::size_t at = first; at < end; ++at)
            ranks[order[at]] = static_cast<double>(first + end + 1) / 2;
    }
    return ranks;
}

std::optional<double> correlationOf(const std::vector<double>& left, const std::vector<double>& right)
{
    const double mean = static_cast<double>(left.size() + 1) / 2; // of ranks, on both sides
    double product = 0, leftSquares = 0, rightSquares = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        product += (left[i] - mean) * (right[i] - mean);
        leftSquares += (left[i] - mean) * (left[i] - mean);
        rightSquares += (right[i] - mean) * (right[i] - mean);
    }
    if (leftSquares == 0 || rightSquares == 0)
        return std::nullopt;
    return product / std::sqrt(leftSquares * rightSquares);
}

} // namespace

std::optional<ErrorQuantiles> quantilesOf(std::span<const double> errors)
{
    if (errors.empty())
        return std::nullopt;
    const std::vector<double> sorted = sortedErrors({errors.begin(), errors.end()});
    std::vector<double> absolute = sorted;
    for (double& error : absolute)
        error = std::abs(error);
    absolute = sortedErrors(std::move(absolute));
    return ErrorQuantiles{.count = errors.size(),
        .exact = static_cast<std::size_t>(std::ranges::count(sorted, 0.0)),
        .smallest = sorted.front(),
        .p05 = quantileOf(sorted, 0.05),
        .p25 = quantileOf(sorted, 0.25),
        .median = quantileOf(sorted, 0.5),
        .p75 = quantileOf(sorted, 0.75),
        .p95 = quantileOf(sorted, 0.95),
        .largest = sorted.back(),
        .absoluteMedian = quantileOf(absolute, 0.5),
        .absoluteP95 = quantileOf(absolute, 0.95),
        .absoluteLargest = absolute.back()};
}

std::optional<double> rankCorrelation(const std::vector<std::pair<double, double>>& pairs)
{
    if (pairs.size() < kFewestRankedPairs)
        return std::nullopt;
    std::vector<double> left, right;
    for (const auto& [one, other] : pairs) {
        left.push_back(one);
        right.push_back(other);
    }
    return correlationOf(ranksOf(left), ranksOf(right));
}

} // namespace headroom::experiments
