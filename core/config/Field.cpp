// SPDX-License-Identifier: Apache-2.0
#include "core/config/Field.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Suggestion.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace headroom::config {
namespace {

std::size_t editDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

std::string lowerCase(std::string name)
{
    std::transform(
        name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

// The edit distance up to which a name is taken for a misspelling; in very short names, something must be right.
std::size_t tolerance(const std::string& name)
{
    return name.empty() ? 0 : std::min(std::max<std::size_t>(2, name.size() / 3), name.size() - 1);
}

std::size_t lengthDifference(const std::string& a, const std::string& b)
{
    return a.size() < b.size() ? b.size() - a.size() : a.size() - b.size();
}

bool isIntegerList(const Value& value)
{
    return value.isList()
        && std::all_of(value.list().begin(), value.list().end(), [](const Value& v) { return v.isInteger(); });
}

bool isTextList(const Value& value)
{
    return value.isList()
        && std::all_of(value.list().begin(), value.list().end(), [](const Value& v) { return v.isText(); });
}

bool hasType(const Field& field, const Value& value)
{
    switch (field.type) {
    case FieldType::Boolean:
        return value.isBoolean();
    case FieldType::Integer:
        return value.isInteger();
    case FieldType::Real:
        return value.isReal() || value.isInteger();
    case FieldType::Text:
        return value.isText();
    case FieldType::Choice:
        return value.isText()
            && std::find(field.choices.begin(), field.choices.end(), value.text()) != field.choices.end();
    case FieldType::IntegerList:
        return isIntegerList(value);
    case FieldType::TextList:
        return isTextList(value);
    }
    return false;
}

bool inRange(const Field& field, const Value& value)
{
    if (field.type != FieldType::Integer && field.type != FieldType::Real)
        return true;
    const double number = value.real();
    return std::isfinite(number) && (!field.minimum || number >= *field.minimum)
        && (!field.maximum || number <= *field.maximum);
}

std::string typeName(FieldType type)
{
    switch (type) {
    case FieldType::Boolean:
        return "true or false";
    case FieldType::Integer:
        return "an integer";
    case FieldType::Real:
        return "a number";
    case FieldType::IntegerList:
        return "a list of integers";
    case FieldType::TextList:
        return "a list of texts";
    case FieldType::Text:
    case FieldType::Choice:
        break;
    }
    return "text";
}

// "ltx-video-13b" as "ltx", "video" and "13b". Parts that an underline joins mean something else alone:
// forward_backward.
std::set<std::string> partsOf(const std::string& name)
{
    std::set<std::string> parts;
    std::string part;
    for (const char letter : name + "-")
        if (letter != '-')
            part += letter;
        else if (!part.empty())
            parts.insert(std::exchange(part, {}));
    return parts;
}

// The shortest name that has all the parts.
std::string nameWithParts(const std::string& wanted, const std::vector<std::string>& candidates)
{
    constexpr std::size_t kTelling = 3;
    std::string best;
    for (const std::string& candidate : candidates)
        if (wanted.size() >= kTelling && candidate != wanted
            && std::ranges::includes(partsOf(lowerCase(candidate)), partsOf(wanted))
            && (best.empty() || candidate.size() < best.size()))
            best = candidate;
    return best;
}

} // namespace

bool isListType(FieldType type)
{
    return type == FieldType::IntegerList || type == FieldType::TextList;
}

Value Field::check(const Value& value, const std::string& where) const
{
    if (value.isNull() && defaultValue.isNull())
        return value;
    if (!hasType(*this, value) || !inRange(*this, value))
        throw UsageError(
            "found " + toToml(value) + didYouMean(value.isText() ? closestChoice(value.text(), choices) : ""), where,
            validValues());
    if (type == FieldType::Real)
        return Value(value.real());
    return value;
}

std::string Field::validValues() const
{
    if (type == FieldType::Choice)
        return joined(choices);
    std::string text = typeName(type);
    if (minimum)
        text += " of at least "
            + toLabel(type == FieldType::Integer ? Value(static_cast<std::int64_t>(*minimum)) : Value(*minimum));
    if (maximum)
        text += std::string(minimum ? " and" : " of") + " at most "
            + toLabel(type == FieldType::Integer ? Value(static_cast<std::int64_t>(*maximum)) : Value(*maximum));
    return text;
}

const Field* FieldSet::find(const std::string& name) const
{
    const auto it = std::find_if(m_fields.begin(), m_fields.end(), [&](const Field& f) { return f.name == name; });
    return it == m_fields.end() ? nullptr : &*it;
}

const Field& FieldSet::get(const std::string& name, const std::string& where) const
{
    if (const Field* field = find(name))
        return *field;
    std::vector<std::string> known;
    for (const Field& field : m_fields)
        known.push_back(field.name);
    throw UsageError("unknown key \"" + name + "\"" + didYouMean(closestName(name, known)), where, joined(known));
}

ValueMap FieldSet::defaults() const
{
    ValueMap values;
    for (const Field& field : m_fields)
        values.emplace(field.name, field.defaultValue);
    return values;
}

ValueMap FieldSet::complete(const ValueMap& values, const std::string& where) const
{
    ValueMap result = defaults();
    for (const auto& [name, value] : values)
        result[name] = get(name, where).check(value, where.empty() ? name : where + "." + name);
    return result;
}

ValueMap FieldSet::differing(const ValueMap& values) const
{
    ValueMap result;
    for (const Field& field : m_fields) {
        const auto it = values.find(field.name);
        if (it != values.end() && it->second != field.defaultValue)
            result.insert(*it);
    }
    return result;
}

std::string FieldSet::names() const
{
    std::vector<std::string> names;
    for (const Field& field : m_fields)
        names.push_back(field.name);
    return joined(names);
}

std::string closestName(const std::string& name, const std::vector<std::string>& candidates)
{
    const std::string wanted = lowerCase(name);
    std::string best;
    std::size_t bestDistance = tolerance(name) + 1;
    for (const std::string& candidate : candidates) {
        if (candidate == name || lengthDifference(wanted, candidate) >= bestDistance)
            continue;
        const std::size_t distance = editDistance(wanted, lowerCase(candidate));
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best.empty() ? nameWithParts(wanted, candidates) : best;
}

} // namespace headroom::config
