// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecEditor.h"

#include "core/base/Error.h"
#include "core/toml/TomlText.h"
#include "experiments/spec/SpecSettings.h"
#include "experiments/spec/TomlTextEdit.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace headroom::experiments {
namespace {

using Meaning = std::map<TomlPath, std::string>;

std::string tomlValue(const toml::node& node)
{
    std::ostringstream text;
    text << toml::node_view<const toml::node>(node);
    return text.str();
}

bool holdsTables(const toml::array& array)
{
    return std::any_of(array.begin(), array.end(), [](const toml::node& node) { return node.is_table(); });
}

// Every key with its value; empty tables say nothing.
void collect(Meaning& meaning, const TomlPath& path, const toml::node& node)
{
    const auto with = [&](std::string word) {
        TomlPath longer = path;
        longer.push_back(std::move(word));
        return longer;
    };
    if (const toml::table* table = node.as_table()) {
        for (const auto& [key, value] : *table)
            collect(meaning, with(std::string(key.str())), value);
    } else if (const toml::array* array = node.as_array(); array != nullptr && holdsTables(*array)) {
        std::size_t index = 0;
        for (const toml::node& item : *array)
            collect(meaning, with("[" + std::to_string(index++) + "]"), item);
    } else {
        // A technique's notation is the same by itself and in a table.
        const bool isNotation = path.size() > 2 && path.back() == "notation" && path[path.size() - 3] == "techniques";
        meaning[isNotation ? TomlPath(path.begin(), path.end() - 1) : path] = tomlValue(node);
    }
}

Meaning meaningOf(const std::string& text, const std::string& source)
{
    Meaning meaning;
    collect(meaning, {}, parseToml(text, source));
    return meaning;
}

bool isNumberedPart(const TomlPath& path)
{
    return path.size() > 1 && path[0] == "part" && path[1].starts_with('[');
}

bool isSinglePart(const TomlPath& path, bool isSection)
{
    return !path.empty() && path[0] == "part" && !isNumberedPart(path) && (isSection || path.size() > 1);
}

std::size_t partsIn(const TomlLayout& layout)
{
    std::size_t parts = 0;
    const auto note = [&](const TomlPath& path, bool isSection) {
        if (isNumberedPart(path))
            parts = std::max<std::size_t>(parts, std::stoul(path[1].substr(1)) + 1);
        else if (isSinglePart(path, isSection))
            parts = std::max<std::size_t>(parts, 1);
    };
    for (const TomlSection& section : layout.sections)
        note(section.path, true);
    for (const TomlEntry& entry : layout.entries)
        note(entry.path, false);
    return parts;
}

TomlPath basePath(const std::string& text, const std::string& source, std::optional<std::size_t> part)
{
    if (!part)
        return {};
    const TomlLayout layout = layoutOf(text);
    if (*part >= partsIn(layout))
        throw UsageError("there is no part " + std::to_string(*part + 1), source,
            "one of the " + std::to_string(partsIn(layout)) + " [[part]] tables");
    const TomlPath numbered{"part", "[" + std::to_string(*part) + "]"};
    const auto isIn = [&](const auto& item) { return isWithin(item.path, numbered); };
    const bool isNumbered = std::any_of(layout.sections.begin(), layout.sections.end(), isIn)
        || std::any_of(layout.entries.begin(), layout.entries.end(), isIn);
    return isNumbered ? numbered : TomlPath{"part"};
}

TomlPath pathWords(const std::string& path, std::optional<std::size_t> part)
{
    if (!part && (path == "name" || path == "title" || path == "description"))
        return {path};
    TomlPath words;
    const std::string full = fullPath(path, path);
    constexpr std::string_view kTable = "workload.";
    if (full.starts_with(kTable)) // a size of an imported model's input has a dot in its key
        return {"workload", full.substr(kTable.size())};
    std::istringstream stream(full);
    for (std::string word; std::getline(stream, word, '.');)
        words.push_back(word);
    return words;
}

// A size of an input (input_ids.1) may stand there without quotes: a table in the table.
TomlPath wordsIn(const TomlTextEdit& edit, const std::string& path, std::optional<std::size_t> part)
{
    TomlPath words = pathWords(path, part);
    const std::size_t dot = words.size() == 2 && words[0] == "workload" ? words[1].rfind('.') : std::string::npos;
    if (dot == std::string::npos || edit.find(words) != nullptr)
        return words;
    TomlPath unquoted{words[0], words[1].substr(0, dot), words[1].substr(dot + 1)};
    return edit.find(unquoted) != nullptr ? unquoted : words;
}

// The value without blanks around it, and what it means.
std::pair<std::string, std::string> checkedValue(const std::string& text, const std::string& where)
{
    const auto refuse = [&] { return UsageError("found " + text, where, "a value or a list in TOML syntax"); };
    try {
        const toml::table table = parseToml("value = " + text + "\n", where);
        const toml::node* node = table.get("value");
        const auto* array = node == nullptr ? nullptr : node->as_array();
        if (table.size() != 1 || node == nullptr || node->is_table() || (array != nullptr && holdsTables(*array)))
            throw refuse();
        const TomlEntry entry = layoutOf("value = " + text + "\n").entries.front();
        return {("value = " + text).substr(entry.valueBegin, entry.valueEnd - entry.valueBegin), tomlValue(*node)};
    } catch (const UsageError&) {
        throw refuse();
    }
}

TomlPath within(TomlPath path, const TomlPath& more)
{
    path.insert(path.end(), more.begin(), more.end());
    return path;
}

std::string placeOf(const std::string& source, const std::string& text, const TomlEntry* entry, const std::string& path)
{
    if (entry == nullptr)
        return source + ": " + path;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(entry->keyBegin), '\n');
    return source + ":" + std::to_string(line) + ": " + path;
}

} // namespace

SpecEditor::SpecEditor(std::string toml, std::string source)
    : m_text(std::move(toml))
    , m_source(std::move(source))
{
    parseToml(m_text, m_source);
}

std::size_t SpecEditor::numberOfParts() const
{
    return partsIn(layoutOf(m_text));
}

std::optional<std::string> SpecEditor::valueText(const std::string& path, std::optional<std::size_t> part) const
{
    const TomlTextEdit edit(m_text, basePath(m_text, m_source, part));
    const TomlEntry* entry = edit.find(wordsIn(edit, path, part));
    if (entry == nullptr)
        return std::nullopt;
    return m_text.substr(entry->valueBegin, entry->valueEnd - entry->valueBegin);
}

void SpecEditor::set(const std::string& path, const std::string& value, std::optional<std::size_t> part)
{
    const TomlPath base = basePath(m_text, m_source, part);
    const TomlTextEdit edit(m_text, base);
    const TomlPath words = wordsIn(edit, path, part);
    const std::string where = placeOf(m_source, m_text, edit.find(words), path);
    const auto [text, meaning] = checkedValue(value, where);
    const std::string edited = edit.withValue(words, text);
    Meaning expected = meaningOf(m_text, m_source);
    expected[within(base, words)] = meaning;
    if (meaningOf(edited, m_source) != expected)
        throw UsageError("the text cannot be changed here without changing more", where, "an edit by hand");
    m_text = edited;
}

void SpecEditor::clear(const std::string& path, std::optional<std::size_t> part)
{
    const TomlPath base = basePath(m_text, m_source, part);
    const TomlTextEdit edit(m_text, base);
    const TomlPath words = wordsIn(edit, path, part);
    const std::string edited = edit.without(words);
    Meaning expected = meaningOf(m_text, m_source);
    expected.erase(within(base, words));
    if (meaningOf(edited, m_source) != expected)
        throw UsageError("the text cannot be changed here without changing more",
            placeOf(m_source, m_text, edit.find(words), path), "an edit by hand");
    m_text = edited;
}

} // namespace headroom::experiments
