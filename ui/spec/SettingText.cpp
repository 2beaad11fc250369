// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SettingText.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>
#include <cctype>

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

TypedValue typedValue(const std::string& text, const Setting& setting)
{
    TypedValue typed;
    try {
        Value::List values;
        for (const std::string& piece : experiments::splitAtCommas(text)) {
            if (piece.empty())
                throw UsageError("A value is missing", {}, setting.field.validValues());
            values.push_back(setting.field.check(valueOfPiece(piece, setting.field), {}));
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
