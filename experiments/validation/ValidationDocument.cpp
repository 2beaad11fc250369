// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationDocument.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>

namespace headroom::experiments {
namespace {

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
