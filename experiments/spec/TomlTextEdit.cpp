// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/TomlTextEdit.h"

#include "core/config/Value.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

constexpr std::array kTableRanks{"model", "workload", "techniques", "device", "protocol"};

std::size_t tableRank(const std::string& table)
{
    return static_cast<std::size_t>(std::find(kTableRanks.begin(), kTableRanks.end(), table) - kTableRanks.begin());
}

bool isBare(const std::string& word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

bool isNumber(const std::string& word)
{
    return word.starts_with('[');
}

// Words of a key, or of a heading, for which the numbers of an array's tables are not written.
std::string keyText(const TomlPath& words)
{
    std::string text;
    for (const std::string& word : words)
        if (!isNumber(word))
            text += (text.empty() ? "" : ".") + (isBare(word) ? word : config::toToml(config::Value(word)));
    return text;
}

TomlPath tail(const TomlPath& path, std::size_t from)
{
    return {path.begin() + static_cast<std::ptrdiff_t>(from), path.end()};
}

TomlPath head(const TomlPath& path, std::size_t count)
{
    return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string withInserted(std::string text, std::size_t at, const std::string& more)
{
    return text.insert(at, more);
}

std::string withoutRange(std::string text, std::size_t begin, std::size_t end)
{
    return text.erase(begin, end - begin);
}

std::size_t lineEnd(const std::string& text, std::size_t at)
{
    const auto end = text.find('\n', at);
    return end == std::string::npos ? text.size() : end + 1;
}

// Of the line before the one that begins here.
std::size_t previousLine(const std::string& text, std::size_t lineBegin)
{
    const auto end = lineBegin < 2 ? std::string::npos : text.rfind('\n', lineBegin - 2);
    return end == std::string::npos ? 0 : end + 1;
}

enum class Line { None, Blank, Comment, Other };

Line lineAt(const std::string& text, std::size_t begin)
{
    if (begin >= text.size())
        return Line::None;
    const auto first = text.find_first_not_of(" \t\r", begin);
    if (first == std::string::npos || text[first] == '\n')
        return Line::Blank;
    return text[first] == '#' ? Line::Comment : Line::Other;
}

} // namespace

TomlTextEdit::TomlTextEdit(const std::string& text, TomlPath base)
    : m_text(text)
    , m_base(std::move(base))
    , m_layout(layoutOf(text))
    , m_lineBreak(text.find("\r\n") == std::string::npos ? "\n" : "\r\n")
{
}

TomlPath TomlTextEdit::below(const TomlPath& words) const
{
    TomlPath path = m_base;
    path.insert(path.end(), words.begin(), words.end());
    return path;
}

bool TomlTextEdit::isTable(const TomlPath& path) const
{
    const auto holds = [&](const TomlPath& inner) { return inner.size() > path.size() && isWithin(inner, path); };
    const TomlEntry* own = m_layout.find(path);
    return (own != nullptr && own->holdsInlineTable(m_text)) || m_layout.findSection(path) != nullptr
        || std::any_of(m_layout.entries.begin(), m_layout.entries.end(), [&](const auto& e) { return holds(e.path); });
}

// A technique's notation is its key, or a key of its table.
TomlPath TomlTextEdit::placeOf(const TomlPath& words) const
{
    TomlPath key = below(words);
    if (words.front() == "techniques" && words.size() == 2 && isTable(key))
        key.emplace_back("notation");
    return key;
}

const TomlEntry* TomlTextEdit::find(const TomlPath& words) const
{
    return m_layout.find(placeOf(words));
}

std::string TomlTextEdit::withValue(const TomlPath& words, const std::string& value) const
{
    if (const TomlEntry* entry = find(words))
        return withInserted(
            experiments::withoutRange(m_text, entry->valueBegin, entry->valueEnd), entry->valueBegin, value);
    // A notation without options becomes a key of the table that the option needs.
    const TomlPath parent = below(head(words, words.size() - 1));
    const TomlEntry* notation = words.size() == 3 ? m_layout.find(parent) : nullptr;
    if (notation != nullptr && !notation->holdsInlineTable(m_text)) {
        const std::string text = withInserted(m_text, notation->keyEnd, ".notation");
        return TomlTextEdit(text, m_base).withValue(words, value);
    }
    return inserted(placeOf(words), value);
}

std::string TomlTextEdit::inserted(const TomlPath& key, const std::string& value) const
{
    for (std::size_t count = key.size() - 1; count + 1 > m_base.size(); --count) {
        const TomlPath table = head(key, count);
        const TomlPath rest = tail(key, count);
        const TomlSection* section = m_layout.findSection(table);
        if (section != nullptr && (rest.size() == 1 || count > m_base.size()))
            return withLine(*section, rest, value);
        if (const TomlEntry* entry = m_layout.find(table); entry != nullptr && entry->holdsInlineTable(m_text))
            return withInline(*entry, rest, value);
        if (const TomlEntry* entry = lastDotted(table))
            return withLineAfter(*entry, tail(key, m_layout.sections[entry->section].path.size()), value);
        if (count == 0)
            break;
    }
    return withTable(key, value);
}

// The last line of a table that exists by dotted keys only.
const TomlEntry* TomlTextEdit::lastDotted(const TomlPath& table) const
{
    const TomlEntry* last = nullptr;
    for (const TomlEntry& entry : m_layout.entries)
        if (!entry.isInline && entry.path.size() > table.size() && isWithin(entry.path, table)
            && m_layout.sections[entry.section].path.size() < table.size())
            last = &entry;
    return last;
}

std::string TomlTextEdit::withLine(const TomlSection& section, const TomlPath& words, const std::string& value) const
{
    const TomlEntry* last = nullptr;
    for (const TomlEntry& entry : m_layout.entries)
        if (&m_layout.sections[entry.section] == &section && !entry.isInline)
            last = &entry;
    if (last != nullptr)
        return withLineAfter(*last, words, value);
    std::size_t at = section.lineEnd;
    // The comment that a file begins with stays first.
    while (&section == &m_layout.sections.front() && lineAt(m_text, at) == Line::Comment)
        at = lineEnd(m_text, at);
    if (&section == &m_layout.sections.front() && lineAt(m_text, at) == Line::Other)
        at = section.lineEnd;
    const bool isOpen = at > 0 && m_text[at - 1] != '\n' && at == m_text.size();
    return withInserted(m_text, at, (isOpen ? m_lineBreak : "") + keyText(words) + " = " + value + m_lineBreak);
}

std::string TomlTextEdit::withLineAfter(const TomlEntry& entry, const TomlPath& words, const std::string& value) const
{
    const std::string indent = m_text.substr(entry.lineBegin, entry.keyBegin - entry.lineBegin);
    const bool isOpen = m_text[entry.lineEnd - 1] != '\n';
    const std::string line = indent + keyText(words) + " = " + value;
    return withInserted(m_text, entry.lineEnd, isOpen ? m_lineBreak + line : line + m_lineBreak);
}

std::string TomlTextEdit::withInline(const TomlEntry& table, const TomlPath& words, const std::string& value) const
{
    const std::string item = keyText(words) + " = " + value;
    std::size_t last = 0;
    for (const TomlEntry& entry : m_layout.entries)
        if (entry.isInline && entry.valueBegin > table.valueBegin && entry.valueEnd < table.valueEnd)
            last = std::max(last, entry.valueEnd);
    if (last > 0)
        return withInserted(m_text, last, ", " + item);
    const std::string emptied = experiments::withoutRange(m_text, table.valueBegin + 1, table.valueEnd - 1);
    return withInserted(emptied, table.valueBegin + 1, " " + item + " ");
}

std::string TomlTextEdit::withTable(const TomlPath& key, const std::string& value) const
{
    const std::size_t at = placeOfTable(key[m_base.size()]);
    const bool isOpen = at > 0 && m_text[at - 1] != '\n';
    const bool isApart = at == 0 || lineAt(m_text, isOpen ? at : previousLine(m_text, at)) == Line::Blank;
    std::string block = isOpen ? m_lineBreak : "";
    if (m_base.empty() && (isOpen || !isApart))
        block += m_lineBreak;
    block += "[" + keyText(head(key, key.size() - 1)) + "]" + m_lineBreak + key.back() + " = " + value + m_lineBreak;
    const Line next = lineAt(m_text, at);
    if (m_base.empty() && (next == Line::Comment || next == Line::Other))
        block += m_lineBreak;
    return withInserted(m_text, at, block);
}

// After the tables that usually stand above it; inside its part.
std::size_t TomlTextEdit::placeOfTable(const std::string& table) const
{
    const TomlSection* before = nullptr;
    const TomlSection* any = nullptr;
    for (const TomlSection& section : m_layout.sections) {
        if (section.path.size() <= m_base.size() || !isWithin(section.path, m_base))
            continue;
        const std::size_t rank = tableRank(section.path[m_base.size()]);
        any = rank < kTableRanks.size() ? &section : any;
        before = rank <= tableRank(table) && rank < kTableRanks.size() ? &section : before;
    }
    if (before != nullptr)
        return endOf(*before);
    if (!m_base.empty())
        return endOf(*m_layout.findSection(m_base));
    if (m_layout.sections.front().bodyEnd > m_layout.sections.front().lineEnd)
        return endOf(m_layout.sections.front());
    return any != nullptr ? endOf(*any) : placeOfFirstTable();
}

// Above the first heading and its comment, unless that is the comment the file begins with.
std::size_t TomlTextEdit::placeOfFirstTable() const
{
    if (m_layout.sections.size() == 1)
        return m_text.size();
    std::size_t at = m_layout.sections[1].lineBegin;
    while (at > 0 && lineAt(m_text, previousLine(m_text, at)) == Line::Comment)
        at = previousLine(m_text, at);
    return at == 0 ? m_text.size() : at;
}

// Comments right below the last key belong to the section, unless they are those of the next heading.
std::size_t TomlTextEdit::endOf(const TomlSection& section) const
{
    std::size_t at = section.bodyEnd;
    while (lineAt(m_text, at) == Line::Comment)
        at = lineEnd(m_text, at);
    return lineAt(m_text, at) == Line::Other ? section.bodyEnd : at;
}

std::string TomlTextEdit::without(const TomlPath& words) const
{
    const TomlEntry* entry = find(words);
    if (entry == nullptr)
        return m_text;
    return entry->isInline ? withoutInline(*entry) : withoutLine(*entry);
}

std::string TomlTextEdit::withoutInline(const TomlEntry& entry) const
{
    const std::size_t next = m_text.find_first_not_of(" \t", entry.valueEnd);
    if (m_text[next] == ',')
        return experiments::withoutRange(m_text, entry.keyBegin, m_text.find_first_not_of(" \t", next + 1));
    const std::size_t previous = m_text.find_last_not_of(" \t", entry.keyBegin - 1);
    return experiments::withoutRange(m_text, m_text[previous] == ',' ? previous : entry.keyBegin, entry.valueEnd);
}

std::string TomlTextEdit::withoutLine(const TomlEntry& entry) const
{
    const TomlSection& section = m_layout.sections[entry.section];
    const auto inSection = [&](const TomlEntry& e) { return e.section == entry.section && !e.isInline; };
    const bool isLast = std::count_if(m_layout.entries.begin(), m_layout.entries.end(), inSection) == 1;
    if (!isLast || entry.lineBegin != section.lineEnd || !isOwn(section))
        return experiments::withoutRange(m_text, entry.lineBegin, entry.lineEnd);
    std::size_t begin = section.lineBegin;
    if (m_base.empty() && begin > 0 && lineAt(m_text, previousLine(m_text, begin)) == Line::Blank)
        begin = previousLine(m_text, begin);
    return experiments::withoutRange(m_text, begin, entry.lineEnd);
}

// The heading is written as this class writes it, and no comment belongs to it.
bool TomlTextEdit::isOwn(const TomlSection& section) const
{
    if (section.path.empty() || isNumber(section.path.back()))
        return false;
    const std::string heading = "[" + keyText(section.path) + "]" + m_lineBreak;
    const bool isPlain = m_text.substr(section.lineBegin, section.lineEnd - section.lineBegin) == heading;
    const bool isCommented =
        section.lineBegin > 0 && lineAt(m_text, previousLine(m_text, section.lineBegin)) == Line::Comment;
    return isPlain && !isCommented && lineAt(m_text, section.bodyEnd) != Line::Comment;
}

} // namespace headroom::experiments
