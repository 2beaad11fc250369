// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/TomlValue.h"

#include "core/base/Error.h"

#include <sstream>

namespace headroom::experiments {
namespace {

using config::Value;

std::string kindOf(const toml::node& node)
{
    std::ostringstream text;
    text << node.type();
    return text.str();
}

Value listFromToml(const toml::array& array, const std::string& where)
{
    Value::List list;
    for (const toml::node& item : array)
        list.push_back(valueFromToml(item, where));
    return list;
}

std::string trimmed(const std::string& text)
{
    constexpr const char* kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The text as a TOML value, where it is one and nothing but one.
std::optional<Value> parsedValue(const std::string& text, const std::string& where)
{
    if (text.find('\n') != std::string::npos)
        return std::nullopt;
    toml::table table;
    try {
        table = parseToml("value = " + text, where);
    } catch (const UsageError&) {
        return std::nullopt;
    }
    const toml::node& node = *table.get("value");
    if (table.size() != 1 || node.is_table() || node.is_date() || node.is_time() || node.is_date_time())
        return std::nullopt;
    return valueFromToml(node, where);
}

} // namespace

Value valueFromToml(const toml::node& node, const std::string& where)
{
    if (const auto* boolean = node.as_boolean())
        return boolean->get();
    if (const auto* integer = node.as_integer())
        return integer->get();
    if (const auto* real = node.as_floating_point())
        return real->get();
    if (const auto* text = node.as_string())
        return text->get();
    if (const auto* array = node.as_array())
        return listFromToml(*array, where);
    throw UsageError("found a " + kindOf(node), where, "a boolean, a number, text or a list of these");
}

Value valueFromText(const std::string& text, const std::string& where)
{
    if (text.empty())
        throw UsageError("a value is missing", where, "values separated by commas");
    if (const auto value = parsedValue(text, where))
        return *value;
    if (text.front() == '[' || text.front() == '"' || text.front() == '\'')
        throw UsageError("found " + text, where, "a value in TOML syntax, or a bare word");
    return text;
}

std::vector<std::string> splitAtCommas(const std::string& text)
{
    std::vector<std::string> pieces{""};
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        if (quote == 0)
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth <= 0 && quote == 0)
            pieces.emplace_back();
        else
            pieces.back() += c;
    }
    for (std::string& piece : pieces)
        piece = trimmed(piece);
    return pieces;
}

} // namespace headroom::experiments
