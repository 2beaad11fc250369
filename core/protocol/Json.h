// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace headroom::protocol {

/// Objects keep their keys sorted, so that dump() of equal values is equal text.
using Json = nlohmann::json;

Json toJson(const config::Value& value);
Json toJson(const config::ValueMap& values);

/// Throws TrialError for JSON that is not a value (an object).
config::Value valueFromJson(const Json& json);
config::ValueMap valuesFromJson(const Json& json);

/// null for nothing.
template <typename T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

template <typename T> std::optional<T> optionalFromJson(const Json& json)
{
    return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

/// Parses one line; throws TrialError with `where` if it is not JSON.
Json parseJson(const std::string& text, const std::string& where);

/// The message of an exception of the JSON library, without the library's name and error number.
std::string problemOf(const Json::exception& error);

} // namespace headroom::protocol
