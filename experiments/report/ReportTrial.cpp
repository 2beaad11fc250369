// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportTrial.h"

#include "experiments/results/Shortage.h"

#include <algorithm>

namespace headroom::report {

const OrderedJson& ReportTrial::at(const char* pointer) const
{
    static const OrderedJson kNull = nullptr;
    const OrderedJson::json_pointer path(pointer);
    return record.contains(path) ? record.at(path) : kNull;
}

std::string ReportTrial::text(const char* pointer) const
{
    const OrderedJson& value = at(pointer);
    return value.is_string() ? value.get<std::string>() : "";
}

std::optional<Bytes> ReportTrial::bytes(const char* pointer) const
{
    const OrderedJson& value = at(pointer);
    return value.is_number() ? std::optional(value.get<Bytes>()) : std::nullopt;
}

std::optional<double> ReportTrial::number(const char* pointer) const
{
    const OrderedJson& value = at(pointer);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<std::string> ReportTrial::flags() const
{
    const OrderedJson& value = at("/flags");
    return value.is_array() ? value.get<std::vector<std::string>>() : std::vector<std::string>();
}

bool ReportTrial::hasFlag(const std::string& flag) const
{
    const std::vector<std::string> all = flags();
    return std::find(all.begin(), all.end(), flag) != all.end();
}

std::optional<bool> ReportTrial::fits() const
{
    const OrderedJson& value = at("/memory/fits");
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

std::optional<Interval> ReportTrial::stepsPerSecond95() const
{
    const OrderedJson& seconds = at("/speed/ci95");
    if (!seconds.is_array() || !(seconds.at(0).get<double>() > 0))
        return std::nullopt;
    return Interval{1 / seconds.at(1).get<double>(), 1 / seconds.at(0).get<double>()};
}

std::string ReportTrial::model() const
{
    constexpr std::size_t kMostFields = 4;
    std::string fields;
    std::size_t count = 0;
    const OrderedJson& overrides = at("/model/overrides");
    for (const auto& [name, value] : overrides.items()) {
        if (++count > kMostFields) {
            fields += ", ...";
            break;
        }
        fields +=
            (fields.empty() ? "" : ", ") + name + " " + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text("/model/name") + (fields.empty() ? "" : " (" + fields + ")");
}

std::string ReportTrial::ending() const
{
    if (isCompleted())
        return {};
    if (hasOutcome("not_run"))
        return "planned, but not reached";
    const std::string shortage = experiments::shortageText(record);
    return shortage.empty() ? text("/reason") : shortage;
}

} // namespace headroom::report
