// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace headroom::config {

/// A value in a spec: nothing, a scalar, or a list of values.
class Value {
public:
    using List = std::vector<Value>;

    Value() = default;
    Value(bool value)
        : m_data(value)
    {
    }
    Value(int value)
        : m_data(std::int64_t{value})
    {
    }
    Value(std::int64_t value)
        : m_data(value)
    {
    }
    Value(double value)
        : m_data(value)
    {
    }
    Value(const char* value)
        : m_data(std::string(value))
    {
    }
    Value(std::string value)
        : m_data(std::move(value))
    {
    }
    Value(List value)
        : m_data(std::move(value))
    {
    }

    bool isNull() const { return std::holds_alternative<std::monostate>(m_data); }
    bool isBoolean() const { return std::holds_alternative<bool>(m_data); }
    bool isInteger() const { return std::holds_alternative<std::int64_t>(m_data); }
    bool isReal() const { return std::holds_alternative<double>(m_data); }
    bool isText() const { return std::holds_alternative<std::string>(m_data); }
    bool isList() const { return std::holds_alternative<List>(m_data); }

    // The typed accessors expect the kind to be checked; otherwise they throw std::bad_variant_access.
    bool boolean() const { return std::get<bool>(m_data); }
    std::int64_t integer() const { return std::get<std::int64_t>(m_data); }
    double real() const;
    const std::string& text() const { return std::get<std::string>(m_data); }
    const List& list() const { return std::get<List>(m_data); }

    bool operator==(const Value&) const = default;

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, List> m_data;
};

using ValueMap = std::map<std::string, Value>;

/// The value in TOML syntax ("true", "4", "0.5", "\"gelu\"", "[2, 4]"); null is "null".
std::string toToml(const Value& value);

/// The value as a label shows it: text without quotes, reals in their shortest form.
std::string toLabel(const Value& value);

/// "a boolean", "an integer", "a list", ...: for messages.
std::string kindOf(const Value& value);

} // namespace headroom::config
