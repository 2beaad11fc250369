// SPDX-License-Identifier: Apache-2.0
#include "core/config/Value.h"

#include <array>
#include <charconv>

namespace headroom::config {
namespace {

// Shortest text that reads back as the same double, always with a point or an exponent (TOML's float).
std::string realText(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_of(".eni") == std::string::npos)
        text += ".0";
    return text;
}

// As a TOML string of one line may have it: control characters are written as escapes.
std::string escaped(char c)
{
    constexpr const char* kDigits = "0123456789ABCDEF";
    if (c == '"' || c == '\\')
        return {'\\', c};
    if (c == '\n')
        return "\\n";
    if (c == '\t')
        return "\\t";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7F)
        return {c};
    return std::string("\\u00") + kDigits[code / 16] + kDigits[code % 16];
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text)
        result += escaped(c);
    return result + '"';
}

template <typename Format> std::string listText(const Value::List& list, Format format)
{
    std::string text = "[";
    for (const Value& item : list)
        text += (text.size() > 1 ? ", " : "") + format(item);
    return text + "]";
}

} // namespace

double Value::real() const
{
    return isInteger() ? static_cast<double>(integer()) : std::get<double>(m_data);
}

std::string toToml(const Value& value)
{
    if (value.isNull())
        return "null";
    if (value.isBoolean())
        return value.boolean() ? "true" : "false";
    if (value.isInteger())
        return std::to_string(value.integer());
    if (value.isReal())
        return realText(value.real());
    if (value.isText())
        return quoted(value.text());
    return listText(value.list(), toToml);
}

std::string toLabel(const Value& value)
{
    return value.isText() ? value.text() : toToml(value);
}

std::string kindOf(const Value& value)
{
    if (value.isNull())
        return "nothing";
    if (value.isBoolean())
        return "a boolean";
    if (value.isInteger())
        return "an integer";
    if (value.isReal())
        return "a real number";
    return value.isText() ? "text" : "a list";
}

} // namespace headroom::config
