// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The words of a key from the root of a document. The number of a table in an array of tables, or of an element in a
/// list, is a word such as "[0]".
using TomlPath = std::vector<std::string>;

/// Whether `path` is `prefix` or stands below it.
bool isWithin(const TomlPath& path, const TomlPath& prefix);

/// One key with its value as it stands in a text. Positions are byte offsets.
struct TomlEntry {
    TomlPath path;
    std::size_t section = 0; ///< index of the section that it stands in
    std::size_t lineBegin = 0; ///< of the line that its key stands on; meaningless inside an inline table
    std::size_t keyBegin = 0;
    std::size_t keyEnd = 0;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
    std::size_t lineEnd = 0; ///< behind the line break of the line that its value ends on
    bool isInline = false; ///< stands inside { }

    bool holdsInlineTable(const std::string& text) const { return text[valueBegin] == '{'; }
};

/// What follows a heading: `[model]`, `[[part]]`; the first section is what stands above all headings.
struct TomlSection {
    TomlPath path;
    std::size_t lineBegin = 0;
    std::size_t lineEnd = 0; ///< of the heading's line
    std::size_t bodyEnd = 0; ///< behind the line of the last entry; without entries `lineEnd`
};

/// Where everything stands in a TOML text, which a parser's tree no longer says: what editing the text without
/// touching anything else needs.
struct TomlLayout {
    std::vector<TomlSection> sections;
    std::vector<TomlEntry> entries; ///< in the order of the text; what an inline table holds follows it

    const TomlEntry* find(const TomlPath& path) const;
    const TomlSection* findSection(const TomlPath& path) const;
};

/// `toml` has to be TOML: what a parser would refuse is not found out here.
TomlLayout layoutOf(const std::string& toml);

} // namespace headroom::experiments
