// SPDX-License-Identifier: Apache-2.0
#include "core/config/Value.h"

#include "core/base/ShownText.h"
#include "core/base/Utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace headroom::config {
namespace {

// The shortest text that reads back as the same double, always with a point or an exponent (TOML's float).
std::string realText(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_of(".eni") == std::string::npos)
        text += ".0";
    return text;
}

std::string unicodeEscape(char32_t character)
{
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += kDigits[character >> shift & 0xF];
    return text;
}

// The text for a single-line TOML string: control characters are written as escapes, all of which have four digits.
std::string escapedText(std::string_view character, char32_t value)
{
    if (value == U'"' || value == U'\\')
        return "\\" + std::string(character);
    if (value == U'\n')
        return "\\n";
    if (value == U'\t')
        return "\\t";
    return isControl(value) ? unicodeEscape(value) : std::string(character);
}

std::string quotedText(std::string_view text)
{
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size();) {
        char32_t value = 0;
        const std::size_t length = readCodePoint(text, at, value);
        if (length == 0) { // not valid UTF-8: kept, so that the reader refuses it
            result += text[at++];
            continue;
        }
        result += escapedText(text.substr(at, length), value);
        at += length;
    }
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
        return quotedText(value.text());
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
