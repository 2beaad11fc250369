// SPDX-License-Identifier: Apache-2.0
#include "core/toml/TomlText.h"

#include "core/base/Error.h"

#include <algorithm>
#include <string_view>

namespace headroom {
namespace {

constexpr std::size_t kMostKeyParts = 32; // a spec has four at most
constexpr std::size_t kMostValues = 250'000;

// "spec.toml:3:1"
std::string placeIn(const std::string& text, std::size_t offset, const std::string& source)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto lineBegin = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
    const std::size_t column = lineBegin == std::string::npos ? offset + 1 : offset - lineBegin;
    return source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

bool isAscii(char c)
{
    return static_cast<unsigned char>(c) < 0x80;
}

/// Scans the text just far enough to tell the dots of keys from others, and to count tables and values. It also refuses
/// what other alphabets have no place in: toml++ 3.3 has undefined behaviour where it asks whether such a character is
/// white space.
class BoundsScanner {
public:
    BoundsScanner(const std::string& text, const std::string& source)
        : m_text(text)
        , m_source(source)
    {
    }

    void requireWithinBounds()
    {
        if (m_text.starts_with("\xEF\xBB\xBF")) // the mark that some editors write
            m_at = 3;
        while (m_at < m_text.size()) {
            readCharacter();
            if (m_dots >= kMostKeyParts)
                throw UsageError("a key of more than " + std::to_string(kMostKeyParts) + " parts",
                    placeIn(m_text, m_keyBegin, m_source), "keys such as techniques.split_ffn.notation");
            if (m_values > kMostValues)
                throw UsageError("more than " + std::to_string(kMostValues) + " tables and values",
                    placeIn(m_text, m_at - 1, m_source), "what a person writes");
        }
    }

private:
    void readCharacter()
    {
        const char c = m_text[m_at];
        if (c == '"' || c == '\'') {
            requireBeginning();
            skipString();
            m_last = c;
            return;
        }
        requireAscii(m_at, "outside of quotes and comments", "\"quotes\" around it");
        if (c == '#')
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        else if (c == '.')
            ++m_dots;
        if (std::string_view("=,[{").find(c) != std::string_view::npos)
            ++m_values;
        if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos || c == '#')
            beginKey();
        if (std::string_view(" \t\r").find(c) == std::string_view::npos)
            m_last = c == '#' ? '\n' : c;
        ++m_at;
    }

    void requireAscii(std::size_t at, const char* where, const char* valid) const
    {
        if (at < m_text.size() && !isAscii(m_text[at]))
            throw UsageError(
                std::string("a character that is not ASCII ") + where, placeIn(m_text, at, m_source), valid);
    }

    // Where quotes begin no text, toml++ and this scanner would differ about what lies within.
    void requireBeginning() const
    {
        if (std::string_view("=,[{.\n").find(m_last) == std::string_view::npos)
            throw UsageError("quotes in the middle of a key or value", placeIn(m_text, m_at, m_source),
                "a text in quotes of its own");
    }

    void skipEscape()
    {
        m_at += 2;
        const auto next = std::min(m_text.find_first_not_of(" \t\r\n", m_at - 1), m_text.size());
        requireAscii(next, "after a backslash", "an escape of TOML, such as \\n or \\u00E9");
    }

    void beginKey()
    {
        m_dots = 0;
        m_keyBegin = std::min(m_text.find_first_not_of(" \t", m_at + 1), m_text.size());
    }

    // Skips to the closing quotes; a single-line string ends with its line at the latest, since TOML does not continue
    // it.
    void skipString()
    {
        const char quote = m_text[m_at];
        const std::string triple(3, quote);
        const bool isLong = m_text.compare(m_at, 3, triple) == 0;
        m_at += isLong ? 3 : 1;
        const auto isEnd = [&] { return isLong ? m_text.compare(m_at, 3, triple) == 0 : m_text[m_at] == quote; };
        while (m_at < m_text.size() && !isEnd() && (isLong || m_text[m_at] != '\n'))
            if (quote == '"' && m_text[m_at] == '\\')
                skipEscape();
            else
                ++m_at;
        m_at += isLong ? 3 : 1;
        // A multi-line string may end with up to two quotes before its closing ones.
        for (int more = 0; isLong && more < 2 && m_at < m_text.size() && m_text[m_at] == quote; ++more)
            ++m_at;
    }

    const std::string& m_text;
    const std::string& m_source;
    std::size_t m_at = 0;
    std::size_t m_values = 0;
    std::size_t m_keyBegin = 0;
    std::size_t m_dots = 0;
    char m_last = '\n'; ///< that was no blank
};

} // namespace

toml::table parseToml(const std::string& text, const std::string& source)
{
    BoundsScanner(text, source).requireWithinBounds();
    try {
        return toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw UsageError(std::string(error.description()),
            source + ":" + std::to_string(error.source().begin.line) + ":"
                + std::to_string(error.source().begin.column),
            "TOML 1.0");
    }
}

} // namespace headroom
