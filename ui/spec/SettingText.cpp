// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SettingText.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "experiments/spec/TomlValue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace headroom::ui {
namespace {

using config::Field;
using config::FieldType;
using config::Value;

bool isText(const Field& field)
{
    return field.type == FieldType::Text || field.type == FieldType::Choice;
}

// Names and notations are text, whatever they look like: "4" is a notation.
Value valueOfPiece(const std::string& piece, const Field& field)
{
    Value value = experiments::valueFromText(piece, {});
    return isText(field) && !value.isText() ? Value(piece) : value;
}

// "24", "7.5", and "24 GiB" where the unit is GiB.
std::optional<double> numberOf(const Value& value)
{
    if (value.isInteger())
        return static_cast<double>(value.integer());
    if (value.isReal())
        return value.real();
    const std::string text = value.isText() ? value.text() : std::string();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number); // as in every locale
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    return error == std::errc() && (rest == "GiB" || rest == " GiB") ? std::optional(number) : std::nullopt;
}

Value inSpecUnit(const Value& value, const Setting& setting)
{
    if (setting.unit == 1)
        return value;
    const auto number = numberOf(value);
    const double most = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 2 / setting.unit);
    if (!number || *number <= 0 || *number > most)
        throw UsageError("This is no amount of memory", {}, "GiB, such as 24 or 7.5");
    return Value(static_cast<std::int64_t>(std::llround(*number * static_cast<double>(setting.unit))));
}

// With as few digits as mean the same integer.
std::string inPeoplesUnit(std::int64_t value, std::int64_t unit)
{
    const double number = static_cast<double>(value) / static_cast<double>(unit);
    for (int digits = 1; digits < std::numeric_limits<double>::max_digits10; ++digits) {
        const std::string text = fmt::format("{:.{}g}", number, digits);
        double read = 0;
        std::from_chars(text.data(), text.data() + text.size(), read); // the same in every locale
        if (text.find('e') == std::string::npos && std::llround(read * static_cast<double>(unit)) == value)
            return text;
    }
    return fmt::format("{}", number);
}

std::string sentenceOf(const UsageError& error)
{
    std::string text = error.problem();
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return error.valid().empty() ? text : text + ". Valid: " + error.valid();
}

std::string quotedWhereNeeded(const Value& value)
{
    if (!value.isText())
        return config::toLabel(value);
    const std::string& text = value.text();
    const bool isPlain = text.find_first_of(",\"'[]#") == std::string::npos && !text.empty() && text.front() != ' '
        && text.back() != ' ';
    return isPlain ? text : config::toToml(value);
}

} // namespace

config::Value::List singleValues(const Value& value, const Field& field)
{
    const auto isList = [](const Value& item) { return item.isList(); };
    const bool isAxis = value.isList()
        && (!config::isListType(field.type)
            || (!value.list().empty() && std::all_of(value.list().begin(), value.list().end(), isList)));
    return isAxis ? value.list() : Value::List{value};
}

std::string textOf(const Value& value)
{
    return textOf(value, {.name = {}, .type = FieldType::Text, .defaultValue = {}, .help = {}});
}

std::size_t valuesIn(const Value& value, const Field& field)
{
    return singleValues(value, field).size();
}

std::string textOf(const Value& value, const Field& field)
{
    if (value.isNull())
        return {};
    std::string text;
    for (const Value& single : singleValues(value, field))
        text += (text.empty() ? "" : ", ") + quotedWhereNeeded(single);
    return text;
}

std::string textOf(const Value& value, const Setting& setting)
{
    if (setting.unit == 1 || value.isNull())
        return textOf(value, setting.field);
    std::string text;
    for (const Value& single : singleValues(value, setting.field))
        text += (text.empty() ? "" : ", ")
            + (single.isInteger() ? inPeoplesUnit(single.integer(), setting.unit) : quotedWhereNeeded(single));
    return text;
}

TypedValue typedValue(const std::string& text, const Setting& setting)
{
    TypedValue typed;
    try {
        Value::List values;
        for (const std::string& piece : experiments::splitAtCommas(text)) {
            if (piece.empty())
                throw UsageError("A value is missing", {}, setting.field.validValues());
            values.push_back(setting.field.check(inSpecUnit(valueOfPiece(piece, setting.field), setting), {}));
            if (setting.check)
                setting.check(values.back());
        }
        typed.count = values.size();
        typed.value = values.size() == 1 ? values.front() : Value(values);
    } catch (const UsageError& error) {
        typed.problem = sentenceOf(error);
    }
    return typed;
}

std::string titleOf(const std::string& key)
{
    std::string title = headroom::inWords(key);
    if (!title.empty())
        title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

std::string shortPath(const std::string& path)
{
    const auto dot = path.find('.');
    const std::string table = path.substr(0, dot);
    if (dot == std::string::npos || path == "model.name" || path == "device.name")
        return table;
    return path.substr(dot + 1);
}

} // namespace headroom::ui
