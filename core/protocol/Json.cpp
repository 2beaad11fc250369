// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/Json.h"

#include "core/base/Error.h"

#include <limits>

namespace headroom::protocol {

using config::Value;
using config::ValueMap;

namespace {

// Fields are scalars or lists, and axes are lists of those: no spec nests deeper.
constexpr int kDeepestList = 8;

[[noreturn]] void refuse(const std::string& found)
{
    throw TrialError("found " + found, "request", "a scalar or a list");
}

Value integerFromJson(const Json& json)
{
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > kLargest)
        refuse(json.dump());
    return json.get<std::int64_t>();
}

Value valueAtDepth(const Json& json, int depth);

Value listFromJson(const Json& json, int depth)
{
    if (depth >= kDeepestList)
        refuse("lists nested deeper than " + std::to_string(kDeepestList));
    Value::List list;
    for (const Json& item : json)
        list.push_back(valueAtDepth(item, depth + 1));
    return list;
}

Value valueAtDepth(const Json& json, int depth)
{
    switch (json.type()) {
    case Json::value_t::null:
        return {};
    case Json::value_t::boolean:
        return json.get<bool>();
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
        return integerFromJson(json);
    case Json::value_t::number_float:
        return json.get<double>();
    case Json::value_t::string:
        return json.get<std::string>();
    case Json::value_t::array:
        return listFromJson(json, depth);
    default:
        refuse(json.dump());
    }
}

} // namespace

Json toJson(const Value& value)
{
    if (value.isNull())
        return nullptr;
    if (value.isBoolean())
        return value.boolean();
    if (value.isInteger())
        return value.integer();
    if (value.isReal())
        return value.real();
    if (value.isText())
        return value.text();
    Json list = Json::array();
    for (const Value& item : value.list())
        list.push_back(toJson(item));
    return list;
}

Json toJson(const ValueMap& values)
{
    Json object = Json::object();
    for (const auto& [name, value] : values)
        object[name] = toJson(value);
    return object;
}

Value valueFromJson(const Json& json)
{
    return valueAtDepth(json, 0);
}

ValueMap valuesFromJson(const Json& json)
{
    ValueMap values;
    for (const auto& [name, value] : json.items())
        values.emplace(name, valueFromJson(value));
    return values;
}

Json parseJson(const std::string& text, const std::string& where)
{
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw TrialError("not JSON: " + text.substr(0, 200), where, "one JSON object per line");
    return json;
}

std::string problemOf(const Json::exception& error)
{
    const std::string message = error.what();
    const auto end = message.find("] ");
    return message.starts_with("[json.exception.") && end != std::string::npos ? message.substr(end + 2) : message;
}

} // namespace headroom::protocol
