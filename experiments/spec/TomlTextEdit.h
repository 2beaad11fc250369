// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/TomlLayout.h"

namespace headroom::experiments {

/// One edit of a spec's text below `base`: the root, or one [[part]]. Whether the result means what it should is
/// checked by SpecEditor.
class TomlTextEdit {
public:
    TomlTextEdit(const std::string& text, TomlPath base);

    /// The text with the key, whose words stand below the base, set to the value.
    std::string withValue(const TomlPath& words, const std::string& value) const;
    /// The text without it.
    std::string without(const TomlPath& words) const;
    /// Where the key stands; null where it does not.
    const TomlEntry* find(const TomlPath& words) const;

private:
    TomlPath below(const TomlPath& words) const;
    TomlPath placeOf(const TomlPath& words) const;
    bool isTable(const TomlPath& path) const;
    std::string inserted(const TomlPath& key, const std::string& value) const;
    const TomlEntry* lastDotted(const TomlPath& table) const;
    std::string withLine(const TomlSection& section, const TomlPath& words, const std::string& value) const;
    std::string withLineAfter(const TomlEntry& entry, const TomlPath& words, const std::string& value) const;
    std::string withInline(const TomlEntry& table, const TomlPath& words, const std::string& value) const;
    std::string withTable(const TomlPath& key, const std::string& value) const;
    std::size_t placeOfTable(const std::string& table) const;
    std::size_t placeOfFirstTable() const;
    std::size_t endOf(const TomlSection& section) const;
    std::string withoutInline(const TomlEntry& entry) const;
    std::string withoutLine(const TomlEntry& entry) const;
    bool isOwn(const TomlSection& section) const;

    const std::string& m_text;
    TomlPath m_base;
    TomlLayout m_layout;
    std::string m_lineBreak;
};

} // namespace headroom::experiments
