// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationDocument.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
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

template <typename Member>
std::optional<ErrorQuantiles> errorQuantiles(const std::vector<ValidationRow>& rows, Member errorOf)
{
    std::vector<double> errors;
    for (const ValidationRow& row : rows)
        if (const auto error = (row.*errorOf)())
            errors.push_back(*error);
    return quantilesOf(errors);
}

OrderedJson toJson(const std::optional<ErrorQuantiles>& quantiles)
{
    if (!quantiles)
        return nullptr;
    return {{"count", quantiles->count}, {"exact", quantiles->exact}, {"min", quantiles->smallest},
        {"p05", quantiles->p05}, {"p25", quantiles->p25}, {"median", quantiles->median}, {"p75", quantiles->p75},
        {"p95", quantiles->p95}, {"max", quantiles->largest}, {"abs_median", quantiles->absoluteMedian},
        {"abs_p95", quantiles->absoluteP95}, {"abs_max", quantiles->absoluteLargest}};
}

OrderedJson quantilesJson(const ValidationDocument& document)
{
    OrderedJson json;
    json["allocated_rel"] = toJson(document.allocatedErrors());
    json["reserved_rel"] = toJson(document.reservedErrors());
    json["step_rel"] = toJson(document.stepErrors());
    json["step_rank_correlation"] = protocol::orNull(document.stepRankCorrelation());
    json["host_differs"] = document.hostDifferences();
    json["unanswered"] = document.unanswered();
    return json;
}

OrderedJson environmentJson(const Environment& environment)
{
    OrderedJson json = toJson(environment);
    for (const char* identifying : {"host", "kernel"})
        json[identifying] = nullptr;
    return json;
}

template <typename Elements> OrderedJson listJson(const Elements& elements)
{
    OrderedJson list = OrderedJson::array();
    for (const auto& element : elements)
        list.push_back(toJson(element));
    return list;
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

std::optional<ErrorQuantiles> ValidationDocument::allocatedErrors() const
{
    return errorQuantiles(rows, &ValidationRow::allocatedError);
}

std::optional<ErrorQuantiles> ValidationDocument::reservedErrors() const
{
    return errorQuantiles(rows, &ValidationRow::reservedError);
}

std::optional<ErrorQuantiles> ValidationDocument::stepErrors() const
{
    return errorQuantiles(rows, &ValidationRow::stepError);
}

std::optional<double> ValidationDocument::stepRankCorrelation() const
{
    std::vector<std::pair<double, double>> pairs;
    for (const ValidationRow& row : rows)
        if (row.stepError())
            pairs.emplace_back(*row.measured.stepSeconds, *row.predicted.stepSeconds);
    return rankCorrelation(pairs);
}

std::int64_t ValidationDocument::hostDifferences() const
{
    return std::ranges::count_if(
        rows, [](const ValidationRow& row) { return row.allocatedError() && !row.hasSameHostMemory(); });
}

std::int64_t ValidationDocument::unanswered() const
{
    return std::ranges::count_if(rows, [](const ValidationRow& row) { return !row.isAnswered(); });
}

std::string today()
{
    return fmt::format(
        "{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

OrderedJson toJson(const ValidationDocument& document)
{
    OrderedJson json;
    json["schema"] = "headroom.validation/1";
    json["device"] = document.device;
    json["device_title"] = document.deviceTitle.empty() ? OrderedJson(nullptr) : OrderedJson(document.deviceTitle);
    json["against"] = document.against;
    json["date"] = document.date;
    json["models"] = document.models;
    json["filter"] = document.filter.empty() ? OrderedJson(nullptr) : OrderedJson(document.filter);
    json["trials"] = document.asked;
    json["seed"] = document.seed;
    json["jobs"] = document.jobs;
    json["interrupted"] = document.isInterrupted;
    json["wall_seconds"] = document.wallSeconds;
    json["environment"] = environmentJson(document.environment);
    json["rows"] = listJson(document.rows);
    json["quantiles"] = quantilesJson(document);
    json["causes"] = listJson(document.causes);
    return json;
}

} // namespace headroom::experiments
