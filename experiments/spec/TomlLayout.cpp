// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/TomlLayout.h"

#include "core/toml/TomlText.h"

#include <algorithm>
#include <map>

namespace headroom::experiments {
namespace {

std::string numbered(std::size_t index)
{
    return "[" + std::to_string(index) + "]";
}

std::string withoutBlanks(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The parser knows the escapes of quoted keys.
TomlPath quotedWords(const std::string& key)
{
    TomlPath words;
    const toml::table parsed = parseToml(key + " = 0", "a key");
    const toml::node* node = &parsed;
    while (const toml::table* table = node->as_table()) {
        words.emplace_back(table->begin()->first.str());
        node = &table->begin()->second;
    }
    return words;
}

TomlPath keyWords(const std::string& key)
{
    if (key.find_first_of("\"'") != std::string::npos)
        return quotedWords(key);
    TomlPath words;
    std::size_t begin = 0;
    while (begin <= key.size()) {
        const std::size_t dot = std::min(key.find('.', begin), key.size());
        words.push_back(withoutBlanks(key.substr(begin, dot - begin)));
        begin = dot + 1;
    }
    return words;
}

class Scanner {
public:
    explicit Scanner(const std::string& text)
        : m_text(text)
    {
        if (m_text.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
    }

    TomlLayout scan()
    {
        m_layout.sections.push_back({{}, m_at, m_at, m_at});
        while (m_at < m_text.size()) {
            const std::size_t lineBegin = m_at;
            skipBlanks();
            if (peek() == '[')
                readHeading(lineBegin);
            else if (!isLineEnd() && peek() != '#')
                readLine(lineBegin);
            else
                skipLine();
        }
        return std::move(m_layout);
    }

private:
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool startsWith(const char* what) const
    {
        return m_text.compare(m_at, std::char_traits<char>::length(what), what) == 0;
    }
    bool isLineEnd() const { return m_at >= m_text.size() || peek() == '\n' || startsWith("\r\n"); }

    void skipBlanks()
    {
        while (peek() == ' ' || peek() == '\t')
            ++m_at;
    }

    void skipLine()
    {
        const auto end = m_text.find('\n', m_at);
        m_at = end == std::string::npos ? m_text.size() : end + 1;
    }

    // Blanks, line breaks and comments, as lists may have them.
    void skipSpace()
    {
        while (m_at < m_text.size()) {
            if (peek() == '#')
                skipLine();
            else if (std::string_view(" \t\r\n").find(peek()) != std::string_view::npos)
                ++m_at;
            else
                return;
        }
    }

    void skipString()
    {
        const char quote = peek();
        const std::string triple(3, quote);
        const bool isLong = m_text.compare(m_at, 3, triple) == 0;
        m_at += isLong ? 3 : 1;
        while (m_at < m_text.size() && !(isLong ? m_text.compare(m_at, 3, triple) == 0 : peek() == quote))
            m_at += quote == '"' && peek() == '\\' ? 2 : 1;
        m_at += isLong ? 3 : 1;
        // Up to two quotes may stand before those that close a long string.
        for (int more = 0; isLong && more < 2 && peek() == quote; ++more)
            ++m_at;
    }

    TomlPath readKey(const char* end)
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && std::string_view(end).find(peek()) == std::string_view::npos) {
            if (peek() == '"' || peek() == '\'')
                skipString();
            else
                ++m_at;
        }
        return keyWords(withoutBlanks(m_text.substr(begin, m_at - begin)));
    }

    void readHeading(std::size_t lineBegin)
    {
        const bool isArray = startsWith("[[");
        m_at += isArray ? 2 : 1;
        const TomlPath path = resolved(readKey("]"), isArray);
        skipLine();
        m_layout.sections.push_back({path, lineBegin, m_at, m_at});
    }

    // A heading below an array of tables means the array's last table.
    TomlPath resolved(const TomlPath& words, bool isArray)
    {
        TomlPath path;
        for (std::size_t i = 0; i < words.size(); ++i) {
            path.push_back(words[i]);
            const auto known = m_tables.find(path);
            if (isArray && i + 1 == words.size())
                path.push_back(numbered(m_tables[path]++));
            else if (known != m_tables.end())
                path.push_back(numbered(known->second - 1));
        }
        return path;
    }

    void readLine(std::size_t lineBegin)
    {
        const std::size_t first = m_layout.entries.size();
        readEntry(m_layout.sections.back().path, lineBegin, false);
        skipLine();
        for (std::size_t i = first; i < m_layout.entries.size(); ++i)
            m_layout.entries[i].lineEnd = m_at;
        m_layout.sections.back().bodyEnd = m_at;
    }

    void readEntry(TomlPath path, std::size_t lineBegin, bool isInline)
    {
        TomlEntry entry;
        entry.section = m_layout.sections.size() - 1;
        entry.lineBegin = lineBegin;
        entry.isInline = isInline;
        entry.keyBegin = m_at;
        const TomlPath words = readKey("=");
        entry.keyEnd = m_text.find_last_not_of(" \t", m_at - 1) + 1;
        ++m_at;
        skipBlanks();
        path.insert(path.end(), words.begin(), words.end());
        entry.path = path;
        entry.valueBegin = m_at;
        const std::size_t index = m_layout.entries.size();
        m_layout.entries.push_back(std::move(entry));
        skipValue(path, lineBegin);
        m_layout.entries[index].valueEnd = m_at;
    }

    void skipValue(const TomlPath& path, std::size_t lineBegin)
    {
        if (peek() == '"' || peek() == '\'')
            skipString();
        else if (peek() == '[')
            skipList(path, lineBegin);
        else if (peek() == '{')
            skipInlineTable(path, lineBegin);
        else
            skipBareValue();
    }

    void skipBareValue()
    {
        const std::size_t begin = m_at;
        while (!isLineEnd() && std::string_view(",]}#").find(peek()) == std::string_view::npos)
            ++m_at;
        m_at = m_text.find_last_not_of(" \t", m_at - 1) + 1;
        m_at = std::max(m_at, begin);
    }

    void skipList(const TomlPath& path, std::size_t lineBegin)
    {
        ++m_at;
        skipSpace();
        for (std::size_t index = 0; m_at < m_text.size() && peek() != ']'; ++index) {
            TomlPath element = path;
            element.push_back(numbered(index));
            readElement(element, lineBegin);
            skipComma();
        }
        ++m_at;
    }

    // A table in a list is an entry without a key.
    void readElement(const TomlPath& path, std::size_t lineBegin)
    {
        const std::size_t index = m_layout.entries.size();
        const std::size_t begin = m_at;
        if (peek() == '{')
            m_layout.entries.push_back(
                {path, m_layout.sections.size() - 1, lineBegin, begin, begin, begin, 0, 0, true});
        const bool isTable = m_layout.entries.size() > index;
        skipValue(path, lineBegin);
        if (isTable)
            m_layout.entries[index].valueEnd = m_at;
    }

    void skipInlineTable(const TomlPath& path, std::size_t lineBegin)
    {
        ++m_at;
        skipSpace();
        while (m_at < m_text.size() && peek() != '}') {
            readEntry(path, lineBegin, true);
            skipComma();
        }
        ++m_at;
    }

    void skipComma()
    {
        skipSpace();
        if (peek() == ',')
            ++m_at;
        skipSpace();
    }

    const std::string& m_text;
    std::size_t m_at = 0;
    TomlLayout m_layout;
    std::map<TomlPath, std::size_t> m_tables; ///< number of tables so far of each array of tables
};

} // namespace

bool isWithin(const TomlPath& path, const TomlPath& prefix)
{
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

const TomlEntry* TomlLayout::find(const TomlPath& path) const
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& e) { return e.path == path; });
    return found == entries.end() ? nullptr : &*found;
}

const TomlSection* TomlLayout::findSection(const TomlPath& path) const
{
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const TomlSection& s) { return s.path == path; });
    return found == sections.end() ? nullptr : &*found;
}

TomlLayout layoutOf(const std::string& toml)
{
    return Scanner(toml).scan();
}

} // namespace headroom::experiments
