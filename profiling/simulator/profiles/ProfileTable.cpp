// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/ProfileTable.h"

#include "core/base/Error.h"
#include "core/toml/InputText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace headroom::simulator {

namespace {

std::string kindOf(const toml::node& node)
{
    std::ostringstream kind;
    kind << node.type();
    return kind.str();
}

std::string written(const toml::node& node)
{
    std::ostringstream text;
    node.visit([&text](const auto& value) {
        if constexpr (toml::is_value<decltype(value)>)
            text << *value;
        else
            text << "(...)";
    });
    return fmt::format("{} ({})", text.str(), kindOf(node));
}

} // namespace

ProfileTable ProfileTable::parse(const std::filesystem::path& file)
{
    return parse(readInputText(file, "a profile", "a readable TOML file"), file);
}

ProfileTable ProfileTable::parse(const std::string& text, const std::filesystem::path& file)
{
    const auto root = std::make_shared<const toml::table>(parseToml(text, file.string()));
    return {root, *root, file.string(), {}};
}

ProfileTable::ProfileTable(
    std::shared_ptr<const toml::table> root, const toml::table& table, std::string file, std::string path)
    : m_root(std::move(root))
    , m_table(&table)
    , m_file(std::move(file))
    , m_path(std::move(path))
{
}

ProfileTable ProfileTable::inner(const toml::table& table, const std::string& key) const
{
    return {m_root, table, m_file, fullName(key)};
}

std::string ProfileTable::placeOf(const toml::source_region& region) const
{
    return region.begin.line > 0 ? fmt::format("{}:{}", m_file, region.begin.line) : m_file;
}

void ProfileTable::refuse(const std::string& key, const std::string& problem, const std::string& valid) const
{
    const toml::node* const found = m_table->get(key);
    throw UsageError(
        fmt::format("'{}' {}", fullName(key), problem), placeOf(found ? found->source() : m_table->source()), valid);
}

const toml::node& ProfileTable::node(const std::string& key)
{
    m_asked.push_back(key);
    const toml::node* const found = m_table->get(key);
    if (!found)
        refuse(key, "is missing", fmt::format("a key '{}'", fullName(key)));
    return *found;
}

std::string ProfileTable::text(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_string() || found.as_string()->get().empty())
        refuse(key, "is " + written(found), "a text");
    return found.as_string()->get();
}

void ProfileTable::requireOneOf(
    const std::string& key, const std::string& found, const std::vector<std::string>& valid) const
{
    if (std::find(valid.begin(), valid.end(), found) == valid.end())
        refuse(key, fmt::format("is '{}'", found), fmt::format("{}", fmt::join(valid, ", ")));
}

std::string ProfileTable::choice(const std::string& key, const std::vector<std::string>& valid)
{
    const std::string found = text(key);
    requireOneOf(key, found, valid);
    return found;
}

std::optional<std::string> ProfileTable::optionalChoice(const std::string& key, const std::vector<std::string>& valid)
{
    m_asked.push_back(key);
    return has(key) ? std::optional(choice(key, valid)) : std::nullopt;
}

std::vector<std::string> ProfileTable::texts(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_array())
        refuse(key, "is " + written(found), "a list of texts");
    std::vector<std::string> all;
    for (const toml::node& entry : *found.as_array()) {
        if (!entry.is_string())
            refuse(key, "contains " + written(entry), "a list of texts");
        all.push_back(entry.as_string()->get());
    }
    return all;
}

std::int64_t ProfileTable::positiveInteger(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_integer() || found.as_integer()->get() <= 0)
        refuse(key, "is " + written(found), "a whole number greater than 0");
    return found.as_integer()->get();
}

double ProfileTable::number(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_number())
        refuse(key, "is " + written(found), "a number");
    return *found.value<double>();
}

std::vector<double> ProfileTable::numberRow(const std::string& key, const toml::node& row, std::size_t columns) const
{
    const std::string valid = fmt::format("a list of lists of {} numbers", columns);
    if (!row.is_array() || row.as_array()->size() != columns)
        refuse(key, "contains " + written(row), valid);
    std::vector<double> numbers;
    for (const toml::node& number : *row.as_array()) {
        if (!number.is_number())
            refuse(key, "contains " + written(number), valid);
        numbers.push_back(*number.value<double>());
    }
    return numbers;
}

std::vector<std::vector<double>> ProfileTable::numberRows(const std::string& key, std::size_t columns)
{
    const toml::node& found = node(key);
    if (!found.is_array())
        refuse(key, "is " + written(found), fmt::format("a list of lists of {} numbers", columns));
    std::vector<std::vector<double>> rows;
    for (const toml::node& row : *found.as_array())
        rows.push_back(numberRow(key, row, columns));
    return rows;
}

Bytes ProfileTable::positiveBytes(const std::string& key)
{
    return positiveInteger(key);
}

ComputeCapability ProfileTable::parseCapability(const std::string& key, const std::string& text) const
{
    ComputeCapability result;
    const char* const last = text.data() + text.size();
    const auto major = std::from_chars(text.data(), last, result.major);
    const bool hasDot = major.ec == std::errc() && major.ptr != last && *major.ptr == '.';
    const auto minor = hasDot ? std::from_chars(major.ptr + 1, last, result.minor) : major;
    if (!hasDot || minor.ec != std::errc() || minor.ptr != last)
        refuse(key, fmt::format("is '{}'", text), "a compute capability as text, such as \"8.0\"");
    return result;
}

ComputeCapability ProfileTable::capability(const std::string& key)
{
    return parseCapability(key, text(key));
}

ProfileTable ProfileTable::table(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_table())
        refuse(key, "is " + written(found), "a table");
    return inner(*found.as_table(), key);
}

std::optional<ProfileTable> ProfileTable::optionalTable(const std::string& key)
{
    m_asked.push_back(key);
    return has(key) ? std::optional(table(key)) : std::nullopt;
}

std::vector<ProfileTable> ProfileTable::tables(const std::string& key)
{
    m_asked.push_back(key);
    std::vector<ProfileTable> all;
    if (!has(key))
        return all;
    const toml::node& found = node(key);
    if (!found.is_array())
        refuse(key, "is " + written(found), "a list of tables");
    for (const toml::node& entry : *found.as_array()) {
        if (!entry.is_table())
            refuse(key, "contains " + written(entry), "a list of tables");
        all.push_back(inner(*entry.as_table(), key));
    }
    return all;
}

std::pair<ProfileTable, std::string> ProfileTable::constant(const std::string& key)
{
    const toml::node& found = node(key);
    if (!found.is_table())
        refuse(key, "is " + written(found), "{ value = ..., source = \"where it comes from\" }");
    ProfileTable parts = table(key);
    std::string source = parts.text("source");
    parts.m_asked.push_back("value");
    parts.m_asked.push_back("spread");
    parts.refuseUnknown();
    return {std::move(parts), std::move(source)};
}

std::optional<double> ProfileTable::spread()
{
    if (!has("spread"))
        return std::nullopt;
    const double value = number("spread");
    if (!(value >= 0.0))
        refuse("spread", fmt::format("is {}", value), "a number of at least 0");
    return value;
}

Sourced<Bytes> ProfileTable::sourcedBytes(const std::string& key)
{
    auto [parts, source] = constant(key);
    return {parts.positiveInteger("value"), source, parts.spread()};
}

Sourced<std::int64_t> ProfileTable::sourcedCount(const std::string& key)
{
    return sourcedBytes(key);
}

Sourced<double> ProfileTable::sourcedPositive(const std::string& key)
{
    auto [parts, source] = constant(key);
    const double value = parts.number("value");
    if (!(value > 0.0))
        parts.refuse("value", fmt::format("is {}", value), "a number greater than 0");
    return {value, source, parts.spread()};
}

Sourced<double> ProfileTable::sourcedFraction(const std::string& key)
{
    auto [parts, source] = constant(key);
    const double value = parts.number("value");
    if (!(value > 0.0 && value <= 1.0))
        parts.refuse("value", fmt::format("is {}", value), "a number greater than 0 and at most 1");
    return {value, source, parts.spread()};
}

Sourced<ComputeCapability> ProfileTable::sourcedCapability(const std::string& key)
{
    auto [parts, source] = constant(key);
    return {parts.capability("value"), source};
}

Sourced<std::vector<ComputeCapability>> ProfileTable::sourcedCapabilities(const std::string& key)
{
    auto [parts, source] = constant(key);
    std::vector<ComputeCapability> all;
    for (const std::string& text : parts.texts("value"))
        all.push_back(parts.parseCapability("value", text));
    return {all, source};
}

Sourced<std::string> ProfileTable::sourcedText(const std::string& key)
{
    auto [parts, source] = constant(key);
    return {parts.text("value"), source};
}

Sourced<std::string> ProfileTable::sourcedChoice(const std::string& key, const std::vector<std::string>& valid)
{
    auto [parts, source] = constant(key);
    return {parts.choice("value", valid), source};
}

Sourced<std::vector<std::string>> ProfileTable::sourcedChoices(
    const std::string& key, const std::vector<std::string>& valid)
{
    auto [parts, source] = constant(key);
    const std::vector<std::string> found = parts.texts("value");
    for (const std::string& text : found)
        parts.requireOneOf("value", text, valid);
    return {found, source};
}

void ProfileTable::refuseUnknown() const
{
    for (const auto& [key, value] : *m_table) {
        const std::string name(key.str());
        if (std::find(m_asked.begin(), m_asked.end(), name) == m_asked.end())
            refuse(name, "is unknown, found " + written(value), fmt::format("{}", fmt::join(m_asked, ", ")));
    }
}

} // namespace headroom::simulator
